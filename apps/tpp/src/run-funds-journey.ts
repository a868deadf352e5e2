import { expectEqual, expectTokenRefused, JourneyError } from './journey-error.js';
import { enrol, expectConsent, obtainApproval, type Parties } from './journey-steps.js';
import { addressOf, type ApiVersion } from './read-write/api-version.js';
import { FundsConfirmationClient } from './read-write/funds-confirmation-client.js';

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
  const { discoveryUri, tppClient, customer, printer } = parties;
  const [account] = customer.accounts;
  if (account === undefined) throw new JourneyError('the customer has no account');
  const { scheme_name: SchemeName, identification: Identification, name: accountName } = account;
  const enrolled = await enrol(parties, 'fundsconfirmations');
  const { accessToken } = enrolled;
  const baseUrl = addressOf('fundsconfirmations', discoveryUri, version);
  const client = new FundsConfirmationClient({ client: tppClient, baseUrl, version });
  const consent = await printer.step('stage the consent', () =>
    client.createConsent(accessToken, { DebtorAccount: { SchemeName, Identification } }),
  );
  expectConsent(consent, 'AwaitingAuthorisation', version);
  const { ConsentId: consentId } = consent.Data;
  const customerToken = await obtainApproval(parties, enrolled, {
    client,
    consentId,
    purpose: 'fundsconfirmations',
    title: 'the customer reads who asks and agrees',
  });
  const ask = async (amount: string): Promise<FundsAnswer> => {
    const { Data } = await client.ask(customerToken, { consentId, amount, reference: 'Purchase' });
    return { amount, isAvailable: Data.FundsAvailable };
  };
  const enough = await printer.step('ask for 20.00 GBP', () => ask('20.00'));
  expectEqual(enough.isAvailable, true, 'the answer');
  const missing = await printer.step(`ask for ${tooMuch} GBP`, () => ask(tooMuch));
  expectEqual(missing.isAvailable, false, 'the answer');
  await printer.step('end the consent', () => client.deleteConsent(accessToken, consentId));
  await printer.step('the bank no longer answers', () =>
    expectTokenRefused(() => ask('20.00'), 'the bank still answers'),
  );
  return { accountName, answers: [enough, missing] };
}
