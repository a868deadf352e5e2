import type { AccessTerms } from '#libs/access-consent';
import { type Fault, fieldInvalid, fieldInvalidDate } from '#libs/error-catalogue';
import { completeDateTime, findMissingPermission, parseDateTime } from '#libs/obie-rules';
import { verifyExpiration } from '../access/verify-expiration.js';
import { readBody } from '../form/read-body.js';
import { SoundMembers } from '../form/sound-members.js';
import type { AccessWire } from '../wire.js';
import { type AskedAccess as Asked, OBReadConsent1 } from './bodies.js';

/** @returns the reader of POST /account-access-consents */
export function createAccountAccessReader({ isClosed }: { readonly isClosed: boolean }): AccessWire['read'] {
  return (document, now) => {
    const { body, faults: formFaults } = readBody(OBReadConsent1, document, { isClosed });
    const sound = new SoundMembers(formFaults);
    const faults = [...formFaults, ...(sound.has('Data') ? verifyAsked(body.Data, sound, now) : [])];
    return faults.length > 0 ? { faults } : { terms: toTerms(body.Data) };
  };
}

function verifyAsked(asked: Asked, sound: SoundMembers, now: Date): Fault[] {
  const has = (member: keyof Asked) => asked[member] !== undefined && sound.has(`Data.${member}`);
  return [
    ...(has('Permissions') ? verifyPermissions(asked.Permissions) : []),
    ...(has('ExpirationDateTime') ? verifyExpiration(asked.ExpirationDateTime, now) : []),
    ...(has('TransactionFromDateTime') && has('TransactionToDateTime') ? verifyPeriod(asked) : []),
  ];
}

function verifyPermissions(asked: readonly string[]): Fault[] {
  const missing = findMissingPermission(asked);
  return missing === undefined ? [] : [fieldInvalid('Data.Permissions', missing)];
}

function verifyPeriod({ TransactionFromDateTime = '', TransactionToDateTime = '' }: Asked): Fault[] {
  const from = parseDateTime(TransactionFromDateTime);
  const to = parseDateTime(TransactionToDateTime);
  return from === undefined || to === undefined || from <= to
    ? []
    : [fieldInvalidDate('Data.TransactionToDateTime', 'must not be before TransactionFromDateTime')];
}

function toTerms({
  Permissions,
  ExpirationDateTime,
  TransactionFromDateTime,
  TransactionToDateTime,
}: Asked): AccessTerms {
  return {
    permissions: [...new Set(Permissions)],
    ...(ExpirationDateTime !== undefined && { expirationDateTime: completeDateTime(ExpirationDateTime) }),
    ...(TransactionFromDateTime !== undefined && {
      transactionFromDateTime: completeDateTime(TransactionFromDateTime),
    }),
    ...(TransactionToDateTime !== undefined && { transactionToDateTime: completeDateTime(TransactionToDateTime) }),
  };
}
