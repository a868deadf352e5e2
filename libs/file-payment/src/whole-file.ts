import type { Initiation } from '#libs/consent';
import { fieldInvalid } from '#libs/error-catalogue';
import type { FaultList } from './fault-list.js';
import type { Remittance, WholeFile } from './formats/payment-format.js';
import { formatOf } from './formats/payment-formats.js';
import { MemberReader } from './member-reader.js';
import type { ReadPaymentFile } from './parse-payment-file.js';
import type { PaymentInstruction } from '#libs/payment-order';
import type { ReadPayment } from './read-payment.js';

/** What a consent may state for all payments, by its name in the file, with the same part of a payment. */
const statedForAll: Readonly<Record<string, (payment: ReadPayment) => object | undefined>> = {
  CreditorAgent: ({ payeeAgent }) => payeeAgent,
  UltimateDebtor: ({ ultimatePayer }) => ultimatePayer,
  RemittanceInformation: remittanceOf,
};

/**
 * @param initiation of the consent, as it is stored
 * @param faults receives a fault for everything that cannot be read
 * @returns an empty object for formats whose consents describe only the file
 */
export function readWholeFile(initiation: Initiation, faults: FaultList): WholeFile {
  const { further } = formatOf(initiation.FileType);
  return further?.readInitiation(new MemberReader(faults, 'Initiation'), initiation) ?? {};
}

/**
 * What the consent states applies to every payment. A payment that states something else contradicts it, as with
 * account and day.
 */
export function verifyStatedForAll(
  { payments, path }: ReadPaymentFile,
  { wholeFile, faults }: { wholeFile: WholeFile; faults: FaultList },
): void {
  for (const [member, find] of Object.entries(statedForAll)) {
    const ofConsent = textOf(find({ ...wholeFile, ...wholeFile.remittance }));
    if (ofConsent === undefined) continue;
    for (const [index, payment] of payments.entries()) {
      const own = textOf(find(payment));
      if (own !== undefined && own !== ofConsent)
        faults.note(() => fieldInvalid(`${path}[${index}].${member}`, 'must be that of the consent, or be omitted'));
    }
  }
}

/**
 * What a consent states for all payments is shown, stored and handed over with each, as if the file repeated it. All of
 * it together may not exceed the longest file. The bytes are counted before anything is written.
 */
export function verifyBytes(
  { payments, path }: ReadPaymentFile,
  { wholeFile, mostBytes, faults }: { wholeFile: WholeFile; mostBytes: number; faults: FaultList },
): void {
  const { remittance, ...ofEach } = wholeFile;
  const silent = payments.filter((payment) => !saysRemittance(payment)).length;
  if (bytesOf(ofEach) * payments.length + bytesOf(remittance) * silent <= mostBytes) return;
  const rule = `must have fewer payments: what the consent states for each of them exceeds ${mostBytes} bytes in all`;
  faults.note(() => fieldInvalid(path, rule));
}

const bytesOf = (said: object = {}): number => Buffer.byteLength(JSON.stringify(said));

/** @returns each payment with what the consent states for all of them and it does not state itself */
export function withWholeFile(
  payments: readonly PaymentInstruction[],
  { payeeAgent, ultimatePayer, remittance }: WholeFile,
): readonly PaymentInstruction[] {
  if (payeeAgent === undefined && ultimatePayer === undefined && remittance === undefined) return payments;
  return payments.map((payment) => ({
    ...payment,
    payeeAgent: payeeAgent ?? payment.payeeAgent,
    ultimatePayer: ultimatePayer ?? payment.ultimatePayer,
    ...(saysRemittance(payment) ? {} : remittance),
  }));
}

function remittanceOf({ reference, unstructured, structuredRemittance }: ReadPayment): Remittance {
  return { reference, unstructured, structuredRemittance };
}

/** Readers return the members of an object in one order, so equal objects have equal texts. */
function textOf(said: object = {}): string | undefined {
  const text = JSON.stringify(said);
  return text === '{}' ? undefined : text;
}

function saysRemittance({ reference, unstructured, structuredRemittance }: ReadPayment): boolean {
  return reference !== undefined || unstructured !== undefined || structuredRemittance !== undefined;
}
