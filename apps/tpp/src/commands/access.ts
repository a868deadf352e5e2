import { type Command, type Described, type OptionValues, text } from '../cli/command.js';
import type { Output } from '../cli/output.js';
import type { Session } from '../cli/session.js';
import { UsageError } from '../journey-error.js';
import { journeys } from '../purpose.js';
import type { Balances } from '../read-write/account-access-client.js';
import type { UnsignedClient } from '../read-write/read-write-client.js';

/** Of every consent to something else than a payment. */
const consentOptions: readonly Described[] = [
  ['--until <date-time>', 'ExpirationDateTime, with a zone; default: until it is withdrawn'],
  ['--withdraw', 'delete the last consent instead (DELETE); its tokens end'],
];

function expirationOf(values: OptionValues): { ExpirationDateTime?: string } {
  const until = text(values, 'until');
  return until === undefined ? {} : { ExpirationDateTime: until };
}

async function withdraw(
  session: Session,
  journey: 'access' | 'funds',
  client: UnsignedClient<object>,
  output: Output,
): Promise<void> {
  const consentId = await session.consentId(journey);
  const { scope } = journeys[journey];
  await session.withAccessToken((accessToken) => client.deleteConsent(accessToken, consentId), scope);
  await session.folder.update({ [journey]: { consentId, version: client.version } });
  output.line(`Consent ${consentId} is withdrawn.`);
  output.add({ consent_id: consentId, withdrawn: true });
}

const defaultPermissions = 'ReadAccountsDetail,ReadBalances';

/** POST and DELETE /account-access-consents. */
export const accessConsentCommand: Command = {
  name: 'access-consent',
  summary: 'stage a consent to read accounts; "authorise", "accounts" and "balances" continue with it',
  options: [
    ['--permissions <list>', `codes of the standard, separated by commas; default: ${defaultPermissions}`],
    ...consentOptions,
  ],
  async run({ session: open, output, values }) {
    const session = await open();
    const accountAccess = await session.accountAccess();
    if (values['withdraw'] === true) return withdraw(session, 'access', accountAccess, output);
    const { Data } = await session.withAccessToken(
      (accessToken) =>
        accountAccess.createConsent(accessToken, {
          Permissions: (text(values, 'permissions') ?? defaultPermissions).split(',').map((code) => code.trim()),
          ...expirationOf(values),
        }),
      'accounts',
    );
    const { ConsentId: consentId, Status: status } = Data;
    await session.folder.update({ access: { consentId, version: accountAccess.version }, lastConsent: 'access' });
    output.line(`Consent ${consentId}: ${status}`);
    output.line(`Permissions: ${Data.Permissions.join(', ')}`);
    output.add({ consent_id: consentId, status, permissions: Data.Permissions });
  },
};

/** GET /accounts, /accounts/{AccountId}. */
export const accountsCommand: Command = {
  name: 'accounts',
  summary: 'read the accounts to which the customer gave access',
  operands: [['[account]', 'AccountId of one of them']],
  async run({ session: open, output, positionals: [accountId] }) {
    const session = await open();
    const [accountAccess, token] = [await session.accountAccess(), await session.customerToken('access')];
    const { Data } =
      accountId === undefined
        ? await accountAccess.readAccounts(token)
        : await accountAccess.readAccount(token, accountId);
    const { Account: accounts = [] } = Data;
    for (const { AccountId, Currency = '', Account = [] } of accounts) {
      const names = Account.map(({ Identification, Name = '' }) => ` ${Identification} ${Name}`.trimEnd());
      output.line(`${AccountId} ${Currency}${names.join(',')}`);
    }
    output.add({ accounts });
  },
};

/** GET /accounts/{AccountId}/balances. */
export const balancesCommand: Command = {
  name: 'balances',
  summary: 'read the balances of an account, or of all accounts to which the customer gave access',
  operands: [['[account]', 'AccountId; default: all of them']],
  async run({ session: open, output, positionals: [named] }) {
    const session = await open();
    const [accountAccess, token] = [await session.accountAccess(), await session.customerToken('access')];
    const accountIds =
      named === undefined
        ? ((await accountAccess.readAccounts(token)).Data.Account ?? []).map(({ AccountId }) => AccountId)
        : [named];
    const balances: Balances['Data']['Balance'] = [];
    for (const accountId of accountIds) {
      balances.push(...(await accountAccess.readBalances(token, accountId)).Data.Balance);
    }
    for (const { AccountId, Type, CreditDebitIndicator, Amount } of balances) {
      const sign = CreditDebitIndicator === 'Debit' ? '-' : '';
      output.line(`${AccountId} ${Type}: ${sign}${Amount.Amount} ${Amount.Currency}`);
    }
    output.add({ balances });
  },
};

const SchemeName = 'UK.OBIE.SortCodeAccountNumber';

/** POST and DELETE /funds-confirmation-consents. */
export const fundsConsentCommand: Command = {
  name: 'funds-consent',
  summary: 'stage a consent to ask whether funds are available; "authorise" and "funds" continue with it',
  operands: [['[account]', "sort code and account number, 14 digits; default: in the sandbox alice's first account"]],
  options: consentOptions,
  async run({ session: open, output, values, positionals: [named] }) {
    const session = await open();
    const api = await session.fundsConfirmation();
    if (values['withdraw'] === true) return withdraw(session, 'funds', api, output);
    const Identification = named ?? session.profile.customers[0]?.accounts[0]?.identification;
    if (Identification === undefined) throw new UsageError('name the account: funds-consent ACCOUNT');
    const { Data } = await session.withAccessToken(
      (accessToken) =>
        api.createConsent(accessToken, {
          DebtorAccount: { SchemeName, Identification },
          ...expirationOf(values),
        }),
      'fundsconfirmations',
    );
    const { ConsentId: consentId, Status: status } = Data;
    await session.folder.update({ funds: { consentId, version: api.version }, lastConsent: 'funds' });
    output.line(`Consent ${consentId}: ${status}`);
    output.line(`Account: ${Data.DebtorAccount.Identification}`);
    output.add({ consent_id: consentId, status, account: Data.DebtorAccount.Identification });
  },
};

const defaultReference = 'Purchase';

/** POST /funds-confirmations. */
export const fundsCommand: Command = {
  name: 'funds',
  summary: 'ask whether an amount is available in the account of the funds confirmation consent',
  operands: [['<amount>', 'in GBP, for example 20.00']],
  options: [['--reference <text>', `of the purchase; default: ${defaultReference}`]],
  async run({ session: open, output, values, positionals: [amount = ''] }) {
    const session = await open();
    const [api, token] = [await session.fundsConfirmation(), await session.customerToken('funds')];
    const consentId = await session.consentId('funds');
    const reference = text(values, 'reference') ?? defaultReference;
    const { Data } = await api.ask(token, { consentId, amount, reference });
    output.line(`${amount} GBP: ${Data.FundsAvailable ? 'available' : 'not available'}`);
    output.add({ funds_confirmation_id: Data.FundsConfirmationId, available: Data.FundsAvailable });
  },
};
