import { knownAddressMembers } from '#libs/file-payment';
import { isJsonObject, normaliseSchemeName, completeDateTime } from '#libs/obie-rules';

type Members = Readonly<Record<string, unknown>>;

const texts = ['PaymentId', 'InstructionIdentification', 'EndToEndIdentification', 'LocalInstrument'] as const;

/**
 * One payment of an accepted file in its response form: the members of the standard, account schemes with full names,
 * complete date-times, and no empty objects. Only the file itself is returned as uploaded.
 * @param payment as uploaded, with its PaymentId
 */
export function toReportedPayment(payment: Members): Record<string, unknown> {
  const { RequestedExecutionDateTime: date, InstructedAmount, RemittanceInformation, SupplementaryData } = payment;
  return {
    ...pick(payment, texts),
    ...present('RequestedExecutionDateTime', typeof date === 'string' ? completeDateTime(date) : undefined),
    ...present('InstructedAmount', pick(InstructedAmount, ['Amount', 'Currency'])),
    ...present('DebtorAccount', toAccount(payment.DebtorAccount)),
    ...present('CreditorAccount', toAccount(payment.CreditorAccount)),
    ...present('CreditorPostalAddress', toAddress(payment.CreditorPostalAddress)),
    ...present('RemittanceInformation', pick(RemittanceInformation, ['Unstructured', 'Reference'])),
    ...present('SupplementaryData', SupplementaryData),
  };
}

function toAccount(account: unknown): Members | undefined {
  const members = pick(account, ['SchemeName', 'Identification', 'Name', 'SecondaryIdentification']);
  return members && { ...members, SchemeName: normaliseSchemeName(String(members.SchemeName)) };
}

function toAddress(address: unknown): Members | undefined {
  return isJsonObject(address) ? unlessEmpty(knownAddressMembers(address)) : undefined;
}

/** @returns the members of an object with these names; undefined if it has none of them */
function pick(object: unknown, names: readonly string[]): Members | undefined {
  if (!isJsonObject(object)) return undefined;
  return unlessEmpty(Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]])));
}

function unlessEmpty(members: Members): Members | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}

function present(name: string, value: unknown): Members {
  return value === undefined ? {} : { [name]: value };
}
