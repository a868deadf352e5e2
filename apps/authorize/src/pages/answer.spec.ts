import type { FastifyReply } from 'fastify';
import { describe, expect, it } from '@jest/globals';
import { sendAnswer, type Answer } from './answer.js';
import { leadTo, saidCookie } from './carried-word.js';

const longest = `/consent?${'x'.repeat(991)}`;
const word = leadTo('/consent?authorization=s', { name: 'codeSent' }).cookies?.[0]?.split(';')[0];

/** @returns what a page learns about its reader, and the answer */
function answerTo(request: { method?: string; url?: string; headers?: object }, differences: object = {}) {
  const sent = { status: 0, headers: {} as Record<string, unknown>, body: '', reading: {} as object };
  const reply = {
    request: { method: 'GET', url: '/consent', headers: {}, ...request },
    status: (status: number) => Object.assign(reply, void (sent.status = status)),
    headers: (headers: object) => Object.assign(reply, void Object.assign(sent.headers, headers)),
    header: (name: string, value: unknown) => Object.assign(reply, void (sent.headers[name] = value)),
    type: (type: string) => reply.header('content-type', type),
    send: (body: Buffer | undefined) => void (sent.body = String(body)),
  };
  const page = (reading: object): string => {
    sent.reading = reading;
    return 'html';
  };
  sendAnswer(reply as unknown as FastifyReply, { kind: 'page', status: 200, page, ...differences } as Answer);
  return sent;
}

describe('the answer to a request for a page', () => {
  it.each([
    ['GET', '/consent?authorization=s&decline=1', true],
    ['GET', longest, true],
    ['GET', `${longest}x`, false],
    ['GET', '/oauth2/authorize?client_id=c', false],
    ['POST', '/consent', false],
  ])('to %s of %.40s is read again at its address: %j', (method, url, isOwn) => {
    expect(answerTo({ method, url }).reading).toEqual({ language: 'en', address: isOwn ? url : undefined });
  });

  it.each([
    ['GET', '/consent?authorization=s', [saidCookie]],
    ['GET', '/consent?authorization=t', undefined],
    ['POST', '/consent?authorization=s', undefined],
    ['HEAD', '/consent?authorization=s', undefined],
  ])('to %s of %s says the word of the form before it once', (method, url, cookies) => {
    expect(answerTo({ method, url, headers: { cookie: word } }).headers['set-cookie']).toEqual(cookies);
  });

  it('is in the language of the link, which the browser keeps beside the other cookies', () => {
    const { headers, reading, status, body } = answerTo(
      { url: '/consent?language=cy' },
      { status: 400, cookies: ['a=b'] },
    );
    expect([status, body, reading, headers['content-language']]).toEqual([
      400,
      'html',
      expect.objectContaining({ language: 'cy' }),
      'cy',
    ]);
    expect(headers['set-cookie']).toEqual(['a=b', expect.stringMatching(/^__Host-language=cy;/)]);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('leads elsewhere with its cookies, and without a page', () => {
    const { status, headers, body } = answerTo(
      {},
      { kind: 'redirect', status: 303, location: '/consent', cookies: ['a=b'] },
    );
    expect({ status, body }).toEqual({ status: 303, body: 'undefined' });
    expect(headers).toMatchObject({ location: '/consent', 'set-cookie': ['a=b'], 'cache-control': 'no-store' });
  });
});
