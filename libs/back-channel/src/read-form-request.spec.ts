import { describe, expect, it } from '@jest/globals';
import { InvalidRequestError } from '#libs/oauth';
import { aFastifyRequest } from '../../../test/support/a-fastify-request.js';
import { readFormRequest } from './read-form-request.js';

const form = 'application/x-www-form-urlencoded';

describe('the form of a back-channel request (RFC 6749 s3.2)', () => {
  it.each([form, `${form};charset=UTF-8`, `${form}; charset="utf-8"`])('is read as %j', (type) => {
    const request = aFastifyRequest({ headers: { 'content-type': type, authorization: 'Basic x' }, body: 'a=£' });
    expect(readFormRequest(request)).toEqual({ body: 'a=£', authorization: 'Basic x' });
  });

  it('distinguishes a repeated Authorization header from a single one', () => {
    const headers = { 'content-type': form, authorization: ['Basic x', 'Basic y'] };
    expect(readFormRequest(aFastifyRequest({ headers })).authorization).toHaveLength(2);
  });

  it.each<Record<string, string | string[]>>([
    {},
    { 'content-type': 'application/json' },
    { 'content-type': [form, 'application/json'] },
    { 'content-type': `${form};charset=latin1` },
    { 'content-type': form, 'content-encoding': 'gzip' },
  ])('is refused with the headers %j', (headers) => {
    expect(() => readFormRequest(aFastifyRequest({ headers }))).toThrow(InvalidRequestError);
  });

  it('is refused if its bytes are not UTF-8', () => {
    const request = aFastifyRequest({ headers: { 'content-type': form }, body: Buffer.from([0x61, 0x3d, 0xff]) });
    expect(() => readFormRequest(request)).toThrow(InvalidRequestError);
  });
});
