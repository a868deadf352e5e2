import { readFileTerms } from '#libs/consent';
import { type Fault, fieldInvalidDate } from '#libs/error-catalogue';
import { type Authorisation, type BankRules, parseDateTime } from '#libs/obie-rules';
import { readBody } from '../../form/read-body.js';
import { SoundMembers } from '../../form/sound-members.js';
import type { Wire } from '../../wire.js';
import type { FilePaymentForms } from '../version.js';
import { toInitiation, toShown } from './to-initiation.js';
import { verifyInitiation } from './verify-initiation.js';

type ReadConsent = Wire['read']['consent'];

/** @returns the reader of the parsed body of POST /file-payment-consents */
export function createConsentReader(forms: FilePaymentForms): ReadConsent {
  return (document, now, bank) => readConsentRequest(forms, document, { now, bank });
}

function readConsentRequest(
  { consent, isClosed }: FilePaymentForms,
  document: Record<string, unknown>,
  given: { now: Date; bank: BankRules },
): ReturnType<ReadConsent> {
  const { body, faults: formFaults } = readBody(consent, document, { isClosed });
  const sound = new SoundMembers(formFaults);
  const faults = [
    ...formFaults,
    ...(sound.has('Data.Initiation') ? verifyInitiation(body.Data.Initiation, sound, given) : []),
    ...(sound.has('Data.Authorisation.CompletionDateTime') ? verifyCompletion(body.Data.Authorisation, given.now) : []),
  ];
  if (faults.length > 0) return { faults };
  const { Initiation, ...conditions } = body.Data;
  const initiation = toInitiation(Initiation);
  return { consent: { initiation, terms: readFileTerms(initiation), conditions: toShown(conditions) } };
}

/** The deadline of the authorisations must be in the future. */
export function verifyCompletion(authorisation: Authorisation | undefined, now: Date): Fault[] {
  const date = parseDateTime(authorisation?.CompletionDateTime ?? '');
  return date === undefined || date > now
    ? []
    : [fieldInvalidDate('Data.Authorisation.CompletionDateTime', 'must be in the future')];
}
