import { HttpException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { BankUnavailableError } from '#libs/bank';
import { BodilessError } from '#libs/error-envelope';
import { SigningUnavailableError } from '#libs/jws';
import { InvalidRequestError, ServerError, TemporarilyUnavailableError } from '#libs/oauth';
import {
  ForgedFormError,
  PaymentUnknownError,
  PsuLockedError,
  SessionUnknownError,
  TooManyChallengesError,
} from '../psu-session/page-errors.js';
import { en } from '../wording/en.js';
import { errorPageContent } from './error-page-content.js';

const withStatus = (statusCode: number): Error => Object.assign(new Error(), { statusCode });

describe('the page for an error', () => {
  it.each([
    [new SessionUnknownError(), 400, 'sessionEnded', 'SessionUnknown'],
    [new ForgedFormError(), 403, 'forgedForm', 'FormRefused'],
    [new PsuLockedError(), 403, 'locked', 'Locked'],
    [new PaymentUnknownError(), 404, 'notFound', 'NotFound'],
    [new HttpException('', 404), 404, 'notFound', 'NotFound'],
    [new BankUnavailableError(), 503, 'unavailable', 'temporarily_unavailable'],
    [new SigningUnavailableError(), 503, 'unavailable', 'temporarily_unavailable'],
    [Object.assign(new Error(), { code: '57P03' }), 503, 'unavailable', 'temporarily_unavailable'],
    [new TemporarilyUnavailableError(), 503, 'unavailable', 'temporarily_unavailable'],
    [new BodilessError(503, ''), 503, 'unavailable', 'temporarily_unavailable'],
    [new BodilessError(429, ''), 429, 'tooMany', 'TooManyRequests'],
    [new BodilessError(405, ''), 405, 'unreadable', 'RequestUnreadable'],
    [withStatus(413), 413, 'unreadable', 'RequestUnreadable'],
    [withStatus(499), 499, 'unreadable', 'RequestUnreadable'],
    [withStatus(500), 500, 'failed', 'server_error'],
    [new Error(), 500, 'failed', 'server_error'],
    [new ServerError(), 500, 'failed', 'server_error'],
    ['not an error', 500, 'failed', 'server_error'],
  ])('%o: %d, %s', (thrown, status, name, code) => {
    const content = { status, heading: `error.${name}.title`, text: `error.${name}.text`, code };
    expect(errorPageContent(thrown)).toEqual(content);
    // What failed may have been recorded before; what was refused was not.
    const text = (decision: string): string => (status < 500 ? content.text : `error.uncertain${decision}`);
    expect(errorPageContent(thrown, 'Approval')).toEqual({ ...content, text: text('Approval') });
    expect(errorPageContent(thrown, 'Withdrawal')).toEqual({ ...content, text: text('Withdrawal') });
  });

  it('does not say that the bank has locked somebody whom it was only asked about too often', () => {
    expect(errorPageContent(new TooManyChallengesError())).toEqual({
      status: 429,
      heading: 'end.TooMany.title',
      text: 'error.tooManyChallenges.text',
      code: 'TooManyRequests',
    });
  });

  it('has the code and the description of a request that is not valid', () => {
    expect(errorPageContent(new InvalidRequestError('state is missing'))).toEqual({
      status: 400,
      heading: 'error.invalid.title',
      text: 'error.invalid.text',
      code: 'invalid_request',
      description: 'state is missing',
    });
  });

  it('says that nothing was approved where nothing was decided, and never where something may have been', () => {
    for (const key of ['error.unavailable.text', 'error.failed.text'] as const)
      expect(en[key]).toContain('Nothing was approved in this step.');
    expect(en['error.uncertainApproval']).not.toMatch(/nothing/i);
    expect(en['error.uncertainWithdrawal']).not.toMatch(/nothing|payment/i);
  });
});
