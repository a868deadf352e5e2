import type { Initiation } from '#libs/consent';
import { normaliseSchemeName, withZone } from '#libs/obie-rules';
import type { OBFile2 } from './ob-file.dto.js';

/**
 * @returns what the TPP sent, member for member; only account schemes get their full name and dates without a zone get
 * one, because every answer carries both
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
    ...(RemittanceInformation === undefined
      ? {}
      : { RemittanceInformation: withoutUndefined({ ...RemittanceInformation }) }),
  });
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value;
}
