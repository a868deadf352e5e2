import type { ConsentKind, NewPaymentConsent, StagedList } from '#libs/consent';
import type { Fault } from '#libs/error-catalogue';
import { FaultList, isInstruction, parsePaymentInstruction, type PaymentFormat } from '#libs/file-payment';
import { type BankRules, defaultLocalInstrument, formatDecimal, londonDay } from '#libs/obie-rules';
import { createInstructionList, writeInstructionList } from '#libs/payment-order';

/** One payment, which comes with its consent. */
export const domesticPaymentKind: ConsentKind = {
  name: 'domestic-payment',
  scope: 'payments',
  consents: 'domestic-payment-consents',
};

/** A payment without a fault: what its consent states, and its list. */
export interface DomesticPayment {
  readonly terms: NewPaymentConsent['terms'];
  readonly list: StagedList;
}

/**
 * Reads Data.Initiation, one payment, by the rules of a payment in a file.
 * @returns the payment, or all its faults
 */
export function readDomesticPayment(
  initiation: unknown,
  { format, bank, now }: { format: PaymentFormat; bank: BankRules; now: Date },
): DomesticPayment | { readonly faults: readonly Fault[] } {
  const faults = new FaultList();
  const payment = parsePaymentInstruction({
    item: initiation,
    path: 'Data.Initiation',
    terms: { format, consentInstrument: undefined, bank, today: londonDay(now) },
    faults,
  });
  if (faults.count > 0 || !isInstruction(payment)) return { faults: faults.items };
  const { localInstrument = defaultLocalInstrument, amount } = payment;
  const list = createInstructionList({ payments: [payment], localInstrument, requestedDay: undefined });
  return {
    terms: { numberOfPayments: '1', controlSum: formatDecimal(amount), localInstrument },
    list: writeInstructionList(list),
  };
}
