import { confirmFunds, type NamedAccount } from '#libs/access-consent';
import { accountFaultCodes, createFault, type Fault } from '#libs/error-catalogue';
import { completeDateTime, findAccountFault } from '#libs/obie-rules';
import { verifyExpiration } from '../access/verify-expiration.js';
import { toShown } from '../file-payment/read/to-initiation.js';
import { readBody } from '../form/read-body.js';
import { SoundMembers } from '../form/sound-members.js';
import type { AccessWire } from '../wire.js';
import type { FundsConfirmationConsentRequest } from './bodies.js';

type Asked = FundsConfirmationConsentRequest['Data'];

const account = 'Data.DebtorAccount';
const schemes = 'must be UK.OBIE.SortCodeAccountNumber, UK.OBIE.IBAN or UK.OBIE.BBAN';

/**
 * @param type class of the body
 * @returns the reader of POST /funds-confirmation-consents
 */
export function createConsentReader(
  type: new () => FundsConfirmationConsentRequest,
  { isClosed }: { readonly isClosed: boolean },
): AccessWire['read'] {
  return (document, now) => {
    const { body, faults: formFaults } = readBody(type, document, { isClosed });
    const sound = new SoundMembers(formFaults);
    const faults = [...formFaults, ...(sound.has('Data') ? verifyAsked(body.Data, sound, now) : [])];
    return faults.length > 0 ? { faults } : { terms: toTerms(body.Data) };
  };
}

function verifyAsked({ DebtorAccount, ExpirationDateTime }: Asked, sound: SoundMembers, now: Date): Fault[] {
  return [
    ...(sound.has(`${account}.SchemeName`) && sound.has(`${account}.Identification`)
      ? verifyAccount(DebtorAccount)
      : []),
    ...(sound.has('Data.ExpirationDateTime') ? verifyExpiration(ExpirationDateTime, now) : []),
  ];
}

/** An account that no customer of the bank can have is refused before a customer is sent to the bank. */
function verifyAccount(named: Asked['DebtorAccount']): Fault[] {
  const fault = findAccountFault(named, undefined);
  if (fault === undefined) return [];
  const path = `${account}.${fault.member}`;
  const rule = fault.member === 'SchemeName' ? schemes : fault.rule;
  return [createFault(accountFaultCodes[fault.member], `${path} ${rule}.`, path)];
}

function toTerms({ DebtorAccount, ExpirationDateTime }: Asked) {
  return {
    permissions: [confirmFunds],
    debtorAccount: toShown(DebtorAccount) as unknown as NamedAccount,
    ...(ExpirationDateTime !== undefined && { expirationDateTime: completeDateTime(ExpirationDateTime) }),
  };
}
