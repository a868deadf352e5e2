export { accessConsentStep, accessConsentTransitions } from './access-consent-status.js';
export type { AccessConsentStatus } from './access-consent-status.js';
export { accountKey, findAccountFault, isSameAccount, normaliseSchemeName } from './account.js';
export type { AccountFault, AccountIdentification } from './account.js';
export { approvalDeadline } from './approval-deadline.js';
export { addressTypes40, categoryPurposeCodes, purposeCodes } from './code-sets.js';
export { anyBank, mostPayments, usualRules } from './bank-rules.js';
export type { BankRules } from './bank-rules.js';
export type { Authorisation, Conditions } from './conditions.js';
export { consentStep, consentTransitions } from './consent-status.js';
export type { ConsentStatus } from './consent-status.js';
export { findCutOff, parseCutOffTimes } from './cut-off.js';
export type { CutOff, CutOffCalendar, CutOffTime } from './cut-off.js';
export { completeDateTime, formatDateTime, londonDay, londonInstant, parseDateTime } from './date-time.js';
export { canonicalNumber, formatDecimal, isWholePence, parseAmount, parseDecimalNumber } from './decimal.js';
export { parseFileHash } from './file-hash.js';
export { isJsonObject } from './json-object.js';
export { defaultLocalInstrument, isLocalInstrument, localInstruments } from './local-instrument.js';
export type { LocalInstrument } from './local-instrument.js';
export { findReachFault, limitsOfSchemes, parsePaymentLimits } from './scheme-limits.js';
export type { PaymentLimits } from './scheme-limits.js';
export { wordsAsSeen } from './look.js';
export { JsonFormatError, JsonTooLongError, parseJson, parseStoredJson } from './parse-json.js';
export { mostEntries } from './object-form.js';
export type { Member, ObjectForm, Read } from './object-form.js';
export {
  amountOfMoney,
  creditorAgent,
  proxy,
  regulatoryReport,
  remittanceInformation2,
  ultimateDebtor,
} from './payment-details.js';
export type { AccountProxy, Party, PaymentDetails, RegulatoryReport, StructuredRemittance } from './payment-details.js';
export { domesticPayment31, paymentItem31, remittanceInformation1 } from './payment-3-1.js';
export { payment40 } from './payment-4-0.js';
export { longestOfPayment } from './payment-item.js';
export type { PaymentForm } from './payment-item.js';
export {
  country,
  longestAddressLine,
  membersOfAddress,
  postalAddress6,
  postalAddress6Single,
  postalAddress7,
} from './postal-address.js';
export type { AddressForm, PostalAddress } from './postal-address.js';
export { documentAmountRule, toDocumentAmount } from './document-amount.js';
export {
  paymentOrderStep,
  paymentOrderTransitions,
  isUnsettled,
  paymentStatuses,
  paymentStep,
  paymentTransitions,
  settledStates,
} from './payment-status.js';
export type { PaymentOrderStatus, PaymentStatus } from './payment-status.js';
export { findMissingPermission, permissions } from './permissions.js';
export type { Permission } from './permissions.js';
export {
  describeHiddenCharacter,
  describeTextFault,
  findHiddenCharacter,
  hiddenCharacter,
  isText,
  nameCharacter,
} from './text.js';
export { accessStates31, accessStates40, paymentStates40 } from './state-names.js';
export { finalStates, sqlList, statesBefore, stepsOf } from './transitions.js';
export type { Step, Transitions } from './transitions.js';
export { isUuid } from './uuid.js';
