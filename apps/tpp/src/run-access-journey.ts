import { expectEqual, expectTokenRefused, JourneyError } from './journey-error.js';
import { enrol, expectConsent, obtainApproval, type Parties } from './journey-steps.js';
import { AccountAccessClient, type Balances } from './read-write/account-access-client.js';
import { addressOf, type ApiVersion } from './read-write/api-version.js';

/**
 * Everything from the bank's discovery document to the balances of an account and the end of the access; checks each
 * answer.
 * @throws JourneyError at the first failure
 */
export async function runAccessJourney(
  parties: Parties,
  version: ApiVersion,
): Promise<{ accountName: string; balances: Balances['Data']['Balance'] }> {
  const { discoveryUri, tppClient, customer, printer } = parties;
  const enrolled = await enrol(parties, 'accounts');
  const { accessToken } = enrolled;
  const baseUrl = addressOf('accounts', discoveryUri, version);
  const client = new AccountAccessClient({ client: tppClient, baseUrl, version });
  const Permissions = ['ReadAccountsDetail', 'ReadBalances'];
  const consent = await printer.step('stage the consent', () => client.createConsent(accessToken, { Permissions }));
  expectConsent(consent, 'AwaitingAuthorisation', version);
  const { ConsentId: consentId } = consent.Data;
  const accountName = customer.accounts[0]?.name ?? '';
  const customerToken = await obtainApproval(parties, enrolled, {
    client,
    consentId,
    purpose: 'accounts',
    title: 'the customer chooses an account',
  });
  const { Data } = await printer.step('read the accounts', () => client.readAccounts(customerToken));
  const [account, ...others] = Data.Account ?? [];
  if (account === undefined || others.length > 0)
    throw new JourneyError('the bank does not show exactly the one account that the customer chose');
  expectEqual(account.Account?.[0]?.Name, accountName, 'the name of the account');
  const { Data: read } = await printer.step('read its balances', () =>
    client.readBalances(customerToken, account.AccountId),
  );
  await printer.step('end the access', () => client.deleteConsent(accessToken, consentId));
  await printer.step('the accounts are closed', () =>
    expectTokenRefused(() => client.readAccounts(customerToken), 'the bank still shows the accounts'),
  );
  return { accountName, balances: read.Balance };
}
