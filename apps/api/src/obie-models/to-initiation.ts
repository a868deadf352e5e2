import type { Initiation } from '#libs/consent';
import { normaliseSchemeName, withZone } from '#libs/obie-rules';
import type { OBFile2 } from './ob-file.dto.js';

/**
 * @returns what the TPP sent, member for member; only account schemes get their full name and dates without a zone get
 * one, because every answer carries both, and remittance information without a member is left out, because no answer has an
 * object without members
 */
export function toInitiation(file: OBFile2): Initiation {
  const { DebtorAccount, RequestedExecutionDateTime, RemittanceInformation, ...rest } = file;
  return withoutUndefined({
    ...rest,
    ...(RequestedExecutionDateTime === undefined
      ? {}
      : { RequestedExecutionDateTime: withZone(RequestedExecutionDateTime) }),
    ...(DebtorAccount === undefined
      ? {}
      : {
          DebtorAccount: withoutUndefined({
            ...DebtorAccount,
            SchemeName: normaliseSchemeName(DebtorAccount.SchemeName),
          }),
        }),
    ...(isEmpty(RemittanceInformation)
      ? {}
      : { RemittanceInformation: withoutUndefined({ ...RemittanceInformation }) }),
  });
}

/** @returns whether an object of a body is absent, or has no member that the standard knows */
export function isEmpty(object: object | undefined): boolean {
  return object === undefined || Object.values(object).every((member) => member === undefined);
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value;
}
