import { AccountAccessClient, type Balances } from './account-access/account-access-client.js';
import { approve } from './customer/approve.js';
import { type ApiVersion, versionWords } from './file-payments/api-version.js';
import { expectEqual, expectTokenRefused, JourneyError } from './journey-error.js';
import { enrol, obtainApproval, type Parties } from './journey-steps.js';

/**
 * Everything from the bank's discovery document to the balances of an account and the end of the access; checks each
 * answer.
 * @throws JourneyError at the first failure
 */
export async function runAccessJourney(
  parties: Parties,
  version: ApiVersion,
): Promise<{ accountName: string; balances: Balances['Data']['Balance'] }> {
  const { discoveryUri, tppClient: client, credentials, customer, printer } = parties;
  const enrolled = await enrol(parties, 'accounts');
  const { accessToken } = enrolled;
  const baseUrl = `${new URL(discoveryUri).origin}/open-banking/v${version}/aisp`;
  const accountAccess = new AccountAccessClient({ client, baseUrl, version });
  const Permissions = ['ReadAccountsDetail', 'ReadBalances'];
  const { Data: staged } = await printer.step('stage the consent', () =>
    accountAccess.createConsent(accessToken, { Permissions }),
  );
  expectEqual(staged.Status, versionWords[version].consent.AwaitingAuthorisation, 'the status of the new consent');
  const { ConsentId: consentId } = staged;
  const accountName = customer.accounts[0]?.name ?? '';
  const customerToken = await obtainApproval(parties, enrolled, {
    consentId,
    purpose: 'accounts',
    title: 'the customer chooses an account',
    approve: (browser) => approve(browser, { accountName, expected: [credentials.name] }),
  });
  await printer.step('the consent is authorised', async () => {
    const { Data } = await accountAccess.readConsent(accessToken, consentId);
    expectEqual(Data.Status, versionWords[version].consent.Authorised, 'the status of the consent');
  });
  const { Data } = await printer.step('read the accounts', () => accountAccess.readAccounts(customerToken));
  const [account, ...others] = Data.Account ?? [];
  if (account === undefined || others.length > 0)
    throw new JourneyError('the bank does not show exactly the one account that the customer chose');
  expectEqual(account.Account?.[0]?.Name, accountName, 'the name of the account');
  const { Data: read } = await printer.step('read its balances', () =>
    accountAccess.readBalances(customerToken, account.AccountId),
  );
  await printer.step('end the access', () => accountAccess.deleteConsent(accessToken, consentId));
  await printer.step('the accounts are closed', () =>
    expectTokenRefused(() => accountAccess.readAccounts(customerToken), 'the bank still shows the accounts'),
  );
  return { accountName, balances: read.Balance };
}
