import type { FaultCode } from './fault.js';

/**
 * OBExternalStatusReason1Code for each fault, in version 4.0 of the Read/Write API. It has no code for the bank's own
 * faults: these are U042 (other), and the message begins with the bank's code.
 */
const codes = {
  UnexpectedError: 'U000',
  'Field.Invalid': 'U002',
  'Field.InvalidDate': 'U003',
  'Field.Missing': 'U004',
  'Field.Unexpected': 'U005',
  'Header.Invalid': 'U006',
  'Header.Missing': 'U007',
  'Resource.ConsentMismatch': 'U008',
  'Resource.InvalidConsentStatus': 'U009',
  'Resource.InvalidFormat': 'U010',
  'Resource.NotFound': 'U011',
  'Rules.AfterCutOffDateTime': 'U012',
  'Signature.Invalid': 'U015',
  'Signature.InvalidClaim': 'U016',
  'Signature.MissingClaim': 'U017',
  'Signature.Malformed': 'U018',
  'Signature.Missing': 'U019',
  'Unsupported.AccountIdentifier': 'U021',
  'Unsupported.AccountSecondaryIdentifier': 'U022',
  'Unsupported.Currency': 'U023',
  'Unsupported.LocalInstrument': 'U026',
  'Unsupported.Scheme': 'U027',
  'Rules.ResourceAlreadyExists': 'U029',
  'Resource.Forbidden': 'U042',
  'Token.ConsentBinding': 'U042',
  'Token.InsufficientScope': 'U042',
  'Token.WrongGrant': 'U042',
  'Registration.Forbidden': 'U042',
} as const satisfies Record<FaultCode, `U${number}`>;

/** `ErrorCode` in version 4.0. */
export type ObErrorCode40 = (typeof codes)[FaultCode];

/** @returns the `ErrorCode` of a fault in version 4.0 */
export function obErrorCode40(code: FaultCode): ObErrorCode40 {
  return codes[code];
}

/** @returns the faults by their code */
export function faultsByCode40(): Map<ObErrorCode40, FaultCode[]> {
  const faults = new Map<ObErrorCode40, FaultCode[]>();
  for (const [fault, code] of Object.entries(codes) as [FaultCode, ObErrorCode40][]) {
    faults.set(code, [...(faults.get(code) ?? []), fault]);
  }
  return faults;
}
