import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ArgumentsHost, HttpException, Logger } from '@nestjs/common';
import type { Clock, Config } from '#libs/config';
import { BodilessError } from '#libs/error-envelope';
import {
  AccessDeniedError,
  InvalidRequestError,
  type OAuthError,
  ServerError,
  TemporarilyUnavailableError,
} from '#libs/oauth';
import { AuthorizeErrorFilter } from './authorize-error.filter.js';
import { createLook } from './look/create-look.js';
import { PageRenderer } from './pages/page-renderer.js';
import {
  JourneyEndedError,
  type JourneyEnding,
  OtherStageError,
  PsuLockedError,
  SessionUnknownError,
} from './psu-session/page-errors.js';

const look = createLook('Bank', { colour: '#0b3d66' });
const renderer = new PageRenderer(look);
const sessionId = '0190aaaa-0000-7000-8000-000000000000';
const session = {
  sessionId,
  request: { redirectUri: 'https://app.example/cb', responseType: 'code', state: 's', clientName: 'Shop' },
} as never;
const redirectable = (error: OAuthError): OAuthError =>
  Object.assign(error, { redirect: (session as Session).request });
type Session = { readonly request: OAuthError['redirect'] };

/** @returns the answer to a request that failed so */
async function answerTo(thrown: unknown, method = 'GET', url = '/consent') {
  const sent = { status: 0, body: '', headers: {} as Record<string, unknown> };
  const request = { method, url, routeOptions: { url }, headers: {}, interactionId: 'interaction-1' };
  const reply: Record<string, unknown> = {
    request,
    status: (status: number) => Object.assign(reply, void (sent.status = status)),
    headers: (headers: object) => Object.assign(reply, void Object.assign(sent.headers, headers)),
    header: (name: string, value: unknown) => Object.assign(reply, void (sent.headers[name] = value)),
    type: () => reply,
    send: (body: unknown) => void (sent.body = String(body)),
  };
  const host = { switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }) };
  const config = { issuer: 'https://bank.example', signing: { keys: [] } } as unknown as Config;
  await new AuthorizeErrorFilter(renderer, config, { now: () => new Date() } as Clock).catch(
    thrown,
    host as unknown as ArgumentsHost,
  );
  return sent;
}

async function levelsOf(thrown: unknown): Promise<string[]> {
  const levels: string[] = [];
  for (const level of ['debug', 'warn', 'error'] as const)
    jest.spyOn(Logger.prototype, level).mockImplementation(() => void levels.push(level));
  await answerTo(thrown);
  return levels;
}

beforeEach(() => {
  for (const level of ['debug', 'warn', 'error'] as const) jest.spyOn(Logger.prototype, level).mockReturnValue();
});
afterEach(() => void jest.restoreAllMocks());

describe('a refusal to a customer or a TPP', () => {
  it.each([
    ['debug', new InvalidRequestError('a fault of the TPP')],
    ['error', new ServerError()],
    ['warn', new TemporarilyUnavailableError()],
    ['error', new TypeError('a fault of ours')],
    ['no', new SessionUnknownError()],
    ['no', new JourneyEndedError('Declined', session, {})],
    ['no', new HttpException('', 404)],
    ['error', new HttpException('', 500)],
  ])('is logged at level %s', async (level, error) => {
    expect(await levelsOf(error)).toEqual(level === 'no' ? [] : [level]);
  });
});

const ended = (ending: JourneyEnding, error?: OAuthError) => new JourneyEndedError(ending, session, { error });

describe('the answer to a request that cannot go on', () => {
  const page = `/consent?authorization=${sessionId}`;

  it.each([
    ['another stage', new OtherStageError(sessionId, 'Challenge'), `/challenge?authorization=${sessionId}`],
    ['why a challenge failed', new OtherStageError(sessionId, 'Consent', 'Expired'), `${page}&ending=Expired`],
    [
      'the app',
      redirectable(new AccessDeniedError('declined')),
      expect.stringMatching(/^https:\/\/app\.example\/cb\?error=access_denied/),
    ],
  ])('leads to %s, after a form with GET (303)', async (_title, error, location) => {
    for (const [method, status] of [
      ['GET', 302],
      ['POST', 303],
    ] as const)
      expect(await answerTo(error, method)).toMatchObject({ status, headers: { location } });
  });

  it.each([
    ['the end of the journey', ended('TooLate'), page],
    ['the advice after suspected fraud', ended('SuspectedFraud'), `${page}&advice=SuspectedFraud`],
    ['the overview, for somebody who is locked', new PsuLockedError('locked'), '/approvals'],
  ])('leads after a form to %s', async (_title, error, location) => {
    expect(await answerTo(error, 'POST')).toMatchObject({ status: 303, headers: { location } });
  });

  it('is a page of its own for somebody who is locked, unless a form led there', async () => {
    expect(await answerTo(new PsuLockedError('locked'))).toMatchObject({ status: 403, headers: {} });
  });

  it('says how a journey ended, and leads back to the app with its error', async () => {
    const { status, body } = await answerTo(ended('TooLate', new InvalidRequestError('late')));
    expect(status).toBe(409);
    expect(body).toContain(look.wording.en.text('end.TooLate.title'));
    expect(body).toMatch(/id="back-to-tpp" href="https:\/\/app\.example\/cb\?error=invalid_request/);
    const { body: alone } = await answerTo(ended('NotPermitted'));
    expect(alone).not.toContain('back-to-tpp');
  });

  it.each([
    ['30', new TemporarilyUnavailableError(), 503],
    ['30', ended('BankAway'), 503],
    ['7', new BodilessError(429, '', { 'retry-after': '7' }), 429],
    [undefined, new SessionUnknownError(), 400],
    [undefined, ended('TooLate'), 409],
    [undefined, new ServerError(), 500],
  ])('asks to come back after %s seconds: %s', async (seconds, error, status) => {
    const answer = await answerTo(error);
    expect([answer.headers['retry-after'], answer.status]).toEqual([seconds, status]);
  });

  it.each([
    ['GET', '/challenge', 'error.uncertainApproval'],
    ['POST', '/challenge', 'error.uncertainApproval'],
    ['POST', '/decline', 'error.uncertainApproval'],
    ['GET', '/approvals/challenge', 'error.uncertainApproval'],
    ['POST', '/approvals/challenge', 'error.uncertainApproval'],
    ['POST', '/approvals/decline', 'error.uncertainApproval'],
    ['POST', '/approvals/withdraw', 'error.uncertainWithdrawal'],
    ['GET', '/consent', 'error.failed.text'],
    ['POST', '/sign-in', 'error.failed.text'],
  ] as const)(
    'says after a failure of %s %s whether a decision may have been recorded: %s',
    async (method, url, text) => {
      expect((await answerTo(new TypeError('x'), method, url)).body).toContain(String(look.wording.en.html(text)));
    },
  );
});
