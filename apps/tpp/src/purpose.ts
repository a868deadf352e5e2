/** What a consent is for: the scope of its tokens. */
export type Purpose = 'payments' | 'accounts' | 'fundsconfirmations';

/** Kinds of payment, by the names of their resources. */
export type PaymentKind = 'file-payment' | 'domestic-payment';

/** What a TPP does for a customer: the scope of its tokens, and the command that stages its consent. */
export const journeys = {
  'file-payment': { scope: 'payments', staging: 'consent FILE' },
  'domestic-payment': { scope: 'payments', staging: 'domestic-payment consent' },
  access: { scope: 'accounts', staging: 'access-consent' },
  funds: { scope: 'fundsconfirmations', staging: 'funds-consent' },
} as const satisfies Readonly<Record<string, { scope: Purpose; staging: string }>>;

export type Journey = keyof typeof journeys;

/** @returns the words of a kind, to begin a line */
export function titleOf(kind: PaymentKind): string {
  return `${kind.slice(0, 1).toUpperCase()}${kind.slice(1).replace('-', ' ')}`;
}

/** @returns the name of a command on a kind; those of files are in no group */
export const commandOf = (kind: PaymentKind, name: string): string =>
  kind === 'file-payment' ? name : `${kind} ${name}`;
