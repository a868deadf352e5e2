import { currencyUnsupported, type Fault, fieldInvalid } from '#libs/error-catalogue';
import { formatDateTime, isWholePence, parseAmount } from '#libs/obie-rules';
import { readBody } from '../form/read-body.js';
import { SoundMembers } from '../form/sound-members.js';
import type { FundsConfirmationWire } from '../wire.js';
import { OBFundsConfirmation1 } from './bodies.js';

type Confirmations = FundsConfirmationWire['confirmations'];
type Money = InstanceType<typeof OBFundsConfirmation1>['Data']['InstructedAmount'];

const amount = 'Data.InstructedAmount';

/** @returns the reader of POST /funds-confirmations */
export function createConfirmationReader({ isClosed }: { readonly isClosed: boolean }): Confirmations['read'] {
  return (document) => {
    const { body, faults: formFaults } = readBody(OBFundsConfirmation1, document, { isClosed });
    const sound = new SoundMembers(formFaults);
    const faults = [...formFaults, ...(sound.has(amount) ? verifyMoney(body.Data.InstructedAmount, sound) : [])];
    if (faults.length > 0) return { faults };
    const { ConsentId: consentId, Reference: reference, InstructedAmount } = body.Data;
    const { Amount, Currency: currency } = InstructedAmount;
    return { question: { consentId, reference, amount: Amount, currency } };
  };
}

/** As in payments: the bank is not asked about an impossible amount. */
function verifyMoney({ Amount, Currency }: Money, sound: SoundMembers): Fault[] {
  const units = sound.has(`${amount}.Amount`) ? parseAmount(Amount) : undefined;
  return [
    ...(units === undefined || (units > 0n && isWholePence(units))
      ? []
      : [fieldInvalid(`${amount}.Amount`, 'must be more than zero and a whole number of pence')]),
    ...(!sound.has(`${amount}.Currency`) || Currency === 'GBP' ? [] : [currencyUnsupported(`${amount}.Currency`)]),
  ];
}

/** OBFundsConfirmationResponse1. */
export const writeConfirmation: Confirmations['write'] = (confirmation, self) => ({
  Data: {
    FundsConfirmationId: confirmation.fundsConfirmationId,
    ConsentId: confirmation.consentId,
    CreationDateTime: formatDateTime(confirmation.createdAt),
    FundsAvailable: confirmation.isAvailable,
    Reference: confirmation.reference,
    InstructedAmount: { Amount: confirmation.amount, Currency: confirmation.currency },
  },
  Links: { Self: self },
  Meta: {},
});
