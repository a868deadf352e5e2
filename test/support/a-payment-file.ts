import { createHash } from 'node:crypto';

/** A payment file with what a consent says about it. */
export interface TestPaymentFile {
  /** FileType of its consent */
  fileType: string;
  body: Buffer;
  fileHash: string;
  numberOfTransactions: string;
  /** decimal text */
  controlSum: string;
}

/** A version of the Read/Write API. */
export type ApiVersion = '3.1' | '4.0';

/** Members that only payments of one version have. */
const ofVersion: Record<ApiVersion, (index: number) => Readonly<Record<string, unknown>>> = {
  '3.1': () => ({}),
  '4.0': (index) => ({
    RemittanceInformation: {
      Structured: [{ CreditorReferenceInformation: { Reference: `INV-${index + 1}` } }],
      Unstructured: ['January'],
    },
  }),
};

/** A valid payment; given members replace its own, undefined ones remove them. */
export function aPaymentItem(members: Readonly<Record<string, unknown>> = {}, index = 0): Record<string, unknown> {
  return {
    InstructionIdentification: `PAYRUN-${index + 1}`,
    EndToEndIdentification: `E2E-${index + 1}`,
    InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
    CreditorAccount: {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: `2000019${String(1_000_000 + index)}`,
      Name: 'A Supplier Ltd',
    },
    RemittanceInformation: { Reference: `INV-${index + 1}` },
    ...members,
  };
}

/**
 * A payment file; valid unless told otherwise.
 * @param options.payments how many payments
 * @param options.item members of the payment at a position that differ
 * @param options.document the whole document, for what is no payment file
 */
export function aPaymentFile(
  options: {
    payments?: number;
    /** of the API, and so of the payments */
    version?: ApiVersion;
    item?: (index: number) => Readonly<Record<string, unknown>>;
    wrap?: (items: readonly unknown[]) => unknown;
    document?: string;
  } = {},
): TestPaymentFile {
  const {
    payments = 2,
    version = '3.1',
    item = () => ({}),
    wrap = (items) => ({ File: { Data: { DomesticPayments: items } } }),
  } = options;
  const items = Array.from({ length: payments }, (_, index) =>
    aPaymentItem({ ...ofVersion[version](index), ...item(index) }, index),
  );
  const body = Buffer.from(options.document ?? JSON.stringify(wrap(items)));
  return {
    body,
    fileType: `UK.OBIE.PaymentInitiation.${version}`,
    fileHash: createHash('sha256').update(body).digest('base64'),
    numberOfTransactions: String(payments),
    controlSum: sumOf(items),
  };
}

function sumOf(items: readonly Record<string, unknown>[]): string {
  const hundredths = items
    .map(({ InstructedAmount }) => String((InstructedAmount as { Amount?: unknown } | undefined)?.Amount))
    .filter((amount) => /^\d+(\.\d{1,2})?$/.test(amount))
    .map((amount) => {
      const [whole = '0', fraction = ''] = amount.split('.');
      return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
    })
    .reduce((sum, amount) => sum + amount, 0n);
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;
}
