import { createHash } from 'node:crypto';

/** A payment file as it is uploaded, with what the consent says about it. */
export interface PaymentFile {
  /** the very octets to upload */
  body: Buffer;
  fileHash: string;
  numberOfTransactions: string;
  /** decimal text, two decimals */
  controlSum: string;
}

/**
 * Creates a file of payments by FPS to as many suppliers, of different amounts.
 * @param payments how many; a file holds up to 150
 */
export function createPaymentFile(payments: number): PaymentFile {
  const pence = Array.from({ length: payments }, (_, index) => 1_000 + index * 110);
  const items = pence.map((amount, index) => ({
    InstructionIdentification: `DEMO-${String(index + 1).padStart(4, '0')}`,
    EndToEndIdentification: `E2E-${String(index + 1).padStart(4, '0')}`,
    LocalInstrument: 'UK.OBIE.FPS',
    InstructedAmount: { Amount: pounds(amount), Currency: 'GBP' },
    CreditorAccount: {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: `200000${String(10_000_000 + index)}`,
      Name: `Supplier ${index + 1}`,
    },
    RemittanceInformation: { Reference: `INV-${1_000 + index}` },
  }));
  const body = Buffer.from(JSON.stringify({ File: { Data: { DomesticPayments: items } } }));
  return {
    body,
    fileHash: createHash('sha256').update(body).digest('base64'),
    numberOfTransactions: String(payments),
    controlSum: pounds(pence.reduce((sum, amount) => sum + amount, 0)),
  };
}

function pounds(pence: number): string {
  return `${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, '0')}`;
}
