import { randomUUID } from 'node:crypto';
import { type ApiVersion, aPaymentFile, type TestPaymentFile } from '../../../support/a-payment-file.js';
import type { Random } from '../random.js';

/**
 * The customers' conduct for a file: one pays alone or declines; two pay together, or the second declines or stays
 * silent.
 */
type Conduct = 'pays' | 'declines' | 'both-pay' | 'second-declines' | 'second-is-silent';

/** Where the resources of each kind are, and the name of a payment's id. */
export const kinds = {
  file: { consents: '/file-payment-consents', payments: '/file-payments', paymentId: 'FilePaymentId' },
  domestic: { consents: '/domestic-payment-consents', payments: '/domestic-payments', paymentId: 'DomesticPaymentId' },
} as const;

/** A planned payment of a file, or a single one. */
export interface Order {
  readonly kind: keyof typeof kinds;
  readonly conduct: Conduct;
  /** of the API */
  readonly version: ApiVersion;
  /** of a file payment */
  readonly file?: TestPaymentFile;
  readonly localInstrument: string;
  /** decimal texts, in file order */
  readonly amounts: readonly string[];
  /** the TPP's own words for the payments, which nobody else has */
  readonly names: readonly string[];
  /** time for the second customer */
  readonly approvalSeconds: number;
}

/** An account, and the customers who act for it. */
interface PayingAccount {
  readonly name: string;
  readonly identification: string;
  readonly pence: bigint;
  /** the customer who approves first */
  readonly psuId: string;
}

export const payroll: PayingAccount = {
  name: 'Archer Payroll',
  identification: '20000112345678',
  pence: 10_000_000_000n,
  psuId: '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a01',
};
/** Bob's and Carol's: each payment needs both. */
export const traders: PayingAccount = {
  name: 'Brown & Clark Traders',
  identification: '20000155779911',
  pence: 500_000_000n,
  psuId: '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a02',
};

/** @returns the account that is paid from */
export const accountOf = ({ conduct }: Pick<Order, 'conduct'>): PayingAccount =>
  conduct === 'pays' || conduct === 'declines' ? payroll : traders;

/**
 * Decides what a TPP and its customers do next.
 * @param options.versions of the API, of which the order is one
 */
export function anOrder(random: Random, options: { isFirst: boolean; versions: [ApiVersion, ...ApiVersion[]] }): Order {
  const kind = options.isFirst || random.happens(50) ? 'file' : 'domestic';
  const amounts = Array.from({ length: kind === 'file' ? random.between(1, 25) : 1 }, () => anAmount(random));
  // Even if a slow machine completes few files, the bank has something to report later.
  if (options.isFirst) amounts.push('1.98');
  const run = randomUUID().slice(0, 13);
  const names = amounts.map((_, index) => `${run}-${index}`);
  const version = random.pick(options.versions);
  const file = aPaymentFile({
    version,
    payments: amounts.length,
    item: (index) => ({
      EndToEndIdentification: names[index],
      InstructedAmount: { Amount: amounts[index], Currency: 'GBP' },
    }),
  });
  return {
    kind,
    conduct: options.isFirst ? 'pays' : aConduct(random),
    version,
    ...(kind === 'file' && { file }),
    localInstrument: random.pick(['UK.OBIE.FPS', 'UK.OBIE.CHAPS', 'UK.OBIE.BalanceTransfer']),
    amounts,
    names,
    approvalSeconds: random.between(600, 900),
  };
}

function aConduct(random: Random): Conduct {
  if (random.happens(65)) return 'pays';
  return random.pick(['declines', 'both-pay', 'both-pay', 'both-pay', 'second-declines', 'second-is-silent']);
}

/** Most settle, some are rejected (.99), held for a while (.98) or not posted (.97). */
function anAmount(random: Random): string {
  const pence = random.happens(30) ? random.pick([97, 98, 99]) : random.between(10, 96);
  return `${random.between(1, 50)}.${pence}`;
}
