import { BankFault } from './bank-under-test.js';
import type { Scenario } from './scenario.js';

interface FoundAccount {
  readonly schemeName: string;
  readonly identification: string;
  /** pence */
  readonly available: bigint;
}

/**
 * @returns the first account that suits the check
 * @throws BankFault if there is none
 */
export async function findAccount({ bank, psuId }: Pick<Scenario, 'bank' | 'psuId'>): Promise<FoundAccount> {
  const { body } = await bank.ask('findPaymentAccounts', { parameters: { psuId } }, { status: 200 });
  const accounts = body['accounts'] as readonly (Omit<FoundAccount, 'available'> & {
    currency: string;
    availableBalance: string;
    approvalsRequired: number;
    unusable?: string;
  })[];
  for (const { unusable, currency, approvalsRequired, availableBalance, schemeName, identification } of accounts) {
    const available = parsePence(availableBalance);
    if (unusable === undefined && currency === 'GBP' && approvalsRequired === 1 && available >= 200n)
      return { schemeName, identification, available };
  }
  throw new BankFault('no usable account in GBP has 2.00 and one approver');
}

/** @returns the amount in pence; whatever is below a penny is cut off */
function parsePence(amount: string): bigint {
  const [whole = '0', rest = ''] = amount.split('.');
  return BigInt(`${whole}${rest.padEnd(2, '0').slice(0, 2)}`);
}
