import { describe, expect, it } from '@jest/globals';
import { BodilessError } from '#libs/error-envelope';
import { SigningUnavailableError } from '#libs/jws';
import { InvalidRequestError, TemporarilyUnavailableError } from '#libs/oauth';
import { en } from '../wording/en.js';
import { errorPageContent } from './error-page-content.js';

const broken = [
  ['an error nobody has foreseen', new Error('x')],
  ['a database that went away', Object.assign(new Error('x'), { code: '57P01' })],
  ['what is not available', new TemporarilyUnavailableError({ detail: 'x' })],
  ['a signing service that is away', new SigningUnavailableError('x')],
] as const;

describe('what an error page says of the approval', () => {
  it.each(broken)('is that it is not known, after a decision that ended in %s', (_title, exception) => {
    expect(errorPageContent(exception, 'Approval').text).toBe('error.uncertainApproval');
    expect(en['error.uncertainApproval']).toContain('cannot tell whether your decision was recorded');
    expect(en['error.uncertainApproval']).not.toMatch(/nothing/i);
  });

  it.each(broken)(
    'is that it is not known whether what lasts has ended, after a withdrawal that ended in %s',
    (...row) => {
      expect(errorPageContent(row[1], 'Withdrawal').text).toBe('error.uncertainWithdrawal');
      expect(en['error.uncertainWithdrawal']).toContain('cannot tell whether the access has ended');
      expect(en['error.uncertainWithdrawal']).not.toMatch(/nothing|payment/i);
    },
  );

  it.each(broken)('is that the step approved nothing, where nothing was decided (%s)', (_title, exception) => {
    expect(en[errorPageContent(exception).text]).toContain('Nothing was approved in this step.');
  });

  it('is unchanged where a decision was refused as it came', () => {
    const exception = new InvalidRequestError('x');
    for (const decision of ['Approval', 'Withdrawal'] as const)
      expect(errorPageContent(exception, decision)).toEqual(errorPageContent(exception));
  });
});

it('the page says that it may be there again in a moment, where the signing service is away', () => {
  expect(errorPageContent(new SigningUnavailableError('x'))).toMatchObject({
    status: 503,
    code: 'temporarily_unavailable',
  });
});

describe('the page for too many requests', () => {
  it('is of status 429', () => {
    expect(errorPageContent(new BodilessError(429, 'x'))).toMatchObject({
      status: 429,
      code: 'TooManyRequests',
    });
  });
});
