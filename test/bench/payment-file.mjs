import { createHash } from 'node:crypto';

/** A file of as many FPS payments as a file may hold, and what a consent says about it. */
export function createPaymentFile(count = 150, version = '3.1') {
  const pence = Array.from({ length: count }, (_, index) => 1_000 + index * 37);
  const payments = pence.map((amount, index) => createPayment(amount, String(index + 1).padStart(4, '0'), version));
  const body = Buffer.from(JSON.stringify({ File: { Data: { DomesticPayments: payments } } }));
  return {
    body,
    version,
    hash: createHash('sha256').update(body).digest(),
    count,
    controlSum: formatPence(pence.reduce((total, amount) => total + amount, 0)),
  };
}

const formatPence = (amount) => (amount / 100).toFixed(2);

function createPayment(amount, number, version) {
  const [reference, line] = [`INV-${number}`, `Invoice ${number} of November`];
  return {
    InstructionIdentification: `PAYRUN-2026-11-${number}`,
    EndToEndIdentification: `E2E-${number}`,
    LocalInstrument: 'UK.OBIE.FPS',
    InstructedAmount: { Amount: formatPence(amount), Currency: 'GBP' },
    CreditorAccount: {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: `200001${number.padStart(8, '1')}`,
      Name: `Supplier ${number} Ltd`,
    },
    CreditorPostalAddress: {
      AddressType: version === '3.1' ? 'Business' : 'BIZZ',
      PostCode: 'AB1 2CD',
      TownName: 'Sometown',
      Country: 'GB',
      AddressLine: [`${number} High Street`],
    },
    RemittanceInformation:
      version === '3.1'
        ? { Unstructured: line, Reference: reference }
        : { Unstructured: [line], Structured: [{ CreditorReferenceInformation: { Reference: reference } }] },
  };
}
