import { describe, expect, it } from '@jest/globals';
import { createFault } from '#libs/error-catalogue';
import { createObErrorBody } from './ob-error-body.js';
import { ObError } from './ob-error.js';

const names = { baseUrl: 'https://bank.example', bank: { errorNamespace: 'UK.MYBANK' } };

describe('the texts of an OBErrorResponse1', () => {
  it.each([
    ['as they are', 'Data.é😀', 'Data.é😀'],
    ['of 500 characters at most', 'x'.repeat(501), 'x'.repeat(500)],
    ['without half a character where they are cut', `${'x'.repeat(499)}😀`, `${'x'.repeat(499)}\ufffd`],
    ['without half a character that was sent', 'Data.a\ud800b', 'Data.a\ufffdb'],
  ])('are %s', (_, text, expected) => {
    const body = createObErrorBody(new ObError(400, text, [createFault('Field.Invalid', text, text)]), names);
    expect(body).toMatchObject({ Message: expected, Errors: [{ Message: expected, Path: expected }] });
  });

  it('have the code of the standard, or one of the bank’s own, and the address of its page', () => {
    const faults = [createFault('Field.Missing', 'a', 'b'), createFault('Resource.Forbidden', 'c')];
    expect(createObErrorBody(new ObError(403, 'x', faults), names).Errors).toEqual([
      { ErrorCode: 'UK.OBIE.Field.Missing', Message: 'a', Path: 'b', Url: pageOf('UK.OBIE.Field.Missing') },
      { ErrorCode: 'UK.MYBANK.Resource.Forbidden', Message: 'c', Url: pageOf('UK.MYBANK.Resource.Forbidden') },
    ]);
  });
});

const pageOf = (code: string): string => `https://bank.example/docs/errors/${code}`;
