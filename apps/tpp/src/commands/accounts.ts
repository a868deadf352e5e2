import type { Command } from '../cli/command.js';

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
