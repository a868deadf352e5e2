import { describe, expect, it } from '@jest/globals';
import { BodilessError } from '#libs/error-envelope';
import { SigningUnavailableError } from '#libs/jws';
import { InvalidRequestError, TemporarilyUnavailableError } from '#libs/oauth';
import { en } from '../wording/en.js';
import { errorPageContent } from './error-page-content.js';

const broken = [
  ['an unexpected error', new Error('x')],
  ['a database that became unavailable', Object.assign(new Error('x'), { code: '57P01' })],
  ['an unavailable dependency', new TemporarilyUnavailableError({ detail: 'x' })],
  ['an unavailable signing service', new SigningUnavailableError('x')],
] as const;

describe('what an error page says about the approval', () => {
  it.each(broken)('is that it is unknown, after a decision that ended in %s', (_title, exception) => {
    expect(errorPageContent(exception, 'Approval').text).toBe('error.uncertainApproval');
    expect(en['error.uncertainApproval']).toContain('cannot tell whether your decision was recorded');
    expect(en['error.uncertainApproval']).not.toMatch(/nothing/i);
  });

  it.each(broken)('is that it is unknown whether access has ended, after a withdrawal that ended in %s', (...row) => {
    expect(errorPageContent(row[1], 'Withdrawal').text).toBe('error.uncertainWithdrawal');
    expect(en['error.uncertainWithdrawal']).toContain('cannot tell whether the access has ended');
    expect(en['error.uncertainWithdrawal']).not.toMatch(/nothing|payment/i);
  });

  it.each(broken)('is that the step approved nothing, if nothing was decided (%s)', (_title, exception) => {
    expect(en[errorPageContent(exception).text]).toContain('Nothing was approved in this step.');
  });

  it('is unchanged if a decision was refused on arrival', () => {
    const exception = new InvalidRequestError('x');
    for (const decision of ['Approval', 'Withdrawal'] as const)
      expect(errorPageContent(exception, decision)).toEqual(errorPageContent(exception));
  });
});

it('is that the service may be available again in a moment, if the signing service is unavailable', () => {
  expect(errorPageContent(new SigningUnavailableError('x'))).toMatchObject({
    status: 503,
    code: 'temporarily_unavailable',
  });
});

describe('the page for too many requests', () => {
  it('has status 429', () => {
    expect(errorPageContent(new BodilessError(429, 'x'))).toMatchObject({
      status: 429,
      code: 'TooManyRequests',
    });
  });
});
