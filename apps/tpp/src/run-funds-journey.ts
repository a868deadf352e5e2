import { approve } from './customer/approve.js';
import { type ApiVersion, versionWords } from './file-payments/api-version.js';
import { FundsConfirmationClient } from './funds-confirmation/funds-confirmation-client.js';
import { expectEqual, expectTokenRefused, JourneyError } from './journey-error.js';
import { enrol, obtainApproval, type Parties } from './journey-steps.js';

/** More than any account of the sandbox has. */
const tooMuch = '9999999999.00';

/** A question and its answer. */
export interface FundsAnswer {
  readonly amount: string;
  readonly isAvailable: boolean;
}

/**
 * Everything from the bank's discovery document to the answers about an account and the end of the consent; checks each
 * answer.
 * @throws JourneyError at the first failure
 */
export async function runFundsJourney(
  parties: Parties,
  version: ApiVersion,
): Promise<{ accountName: string; answers: readonly FundsAnswer[] }> {
  const { discoveryUri, tppClient: client, credentials, customer, printer } = parties;
  const [account] = customer.accounts;
  if (account === undefined) throw new JourneyError('the customer has no account');
  const { scheme_name: SchemeName, identification: Identification, name: accountName } = account;
  const enrolled = await enrol(parties, 'fundsconfirmations');
  const { accessToken } = enrolled;
  const baseUrl = `${new URL(discoveryUri).origin}/open-banking/v${version}/cbpii`;
  const funds = new FundsConfirmationClient({ client, baseUrl, version });
  const { Data: staged } = await printer.step('stage the consent', () =>
    funds.createConsent(accessToken, { DebtorAccount: { SchemeName, Identification } }),
  );
  const states = versionWords[version].consent;
  expectEqual(staged.Status, states.AwaitingAuthorisation, 'the status of the new consent');
  const { ConsentId: consentId } = staged;
  const customerToken = await obtainApproval(parties, enrolled, {
    consentId,
    purpose: 'fundsconfirmations',
    title: 'the customer reads who asks and agrees',
    approve: (browser) => approve(browser, { accountName, expected: [credentials.name] }),
  });
  await printer.step('the consent is authorised', async () => {
    const { Data } = await funds.readConsent(accessToken, consentId);
    expectEqual(Data.Status, states.Authorised, 'the status of the consent');
  });
  const ask = async (amount: string): Promise<FundsAnswer> => {
    const { Data } = await funds.ask(customerToken, { consentId, amount, reference: 'Purchase' });
    return { amount, isAvailable: Data.FundsAvailable };
  };
  const enough = await printer.step('ask for 20.00 GBP', () => ask('20.00'));
  expectEqual(enough.isAvailable, true, 'the answer');
  const missing = await printer.step(`ask for ${tooMuch} GBP`, () => ask(tooMuch));
  expectEqual(missing.isAvailable, false, 'the answer');
  await printer.step('end the consent', () => funds.deleteConsent(accessToken, consentId));
  await printer.step('the bank no longer answers', () =>
    expectTokenRefused(() => ask('20.00'), 'the bank still answers'),
  );
  return { accountName, answers: [enough, missing] };
}
