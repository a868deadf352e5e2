import type { Balances } from '../read-write/account-access-client.js';
import type { Command } from '../cli/command.js';

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
