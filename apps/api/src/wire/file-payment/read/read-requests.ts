import { readFileTerms } from '#libs/consent';
import { type Fault, fieldInvalidDate } from '#libs/error-catalogue';
import { type Authorisation, parseDateTime } from '#libs/obie-rules';
import { readBody } from '../../form/read-body.js';
import { SoundMembers } from '../../form/sound-members.js';
import type { Wire } from '../../wire.js';
import type { FilePaymentForms } from '../version.js';
import { findInitiationMismatch } from './find-initiation-mismatch.js';
import { toInitiation, toShown } from './to-initiation.js';
import { verifyInitiation } from './verify-initiation.js';

type Read = Wire['read'];

/** @returns the reader of the parsed body of POST /file-payment-consents */
export function createConsentReader({ consent, isClosed }: FilePaymentForms): Read['consent'] {
  return (document, now, bank) => {
    const { body, faults: formFaults } = readBody(consent, document, { isClosed });
    const sound = new SoundMembers(formFaults);
    const faults = [
      ...formFaults,
      ...(sound.has('Data.Initiation') ? verifyInitiation(body.Data.Initiation, sound, { now, bank }) : []),
      ...(sound.has('Data.Authorisation.CompletionDateTime') ? verifyCompletion(body.Data.Authorisation, now) : []),
    ];
    if (faults.length > 0) return { faults };
    const { Initiation, ...conditions } = body.Data;
    const initiation = toInitiation(Initiation);
    return { consent: { initiation, terms: readFileTerms(initiation), conditions: toShown(conditions) } };
  };
}

/** @returns the reader of the parsed body of POST /file-payments */
export function createPaymentReader({ payment, isClosed }: FilePaymentForms): Read['payment'] {
  return (document) => {
    const { body, faults } = readBody(payment, document, { isClosed });
    if (faults.length > 0) return { faults };
    const { ConsentId: consentId, Initiation } = body.Data;
    const sent = toInitiation(Initiation);
    return { payment: { consentId, findMismatch: (agreed) => findInitiationMismatch(agreed, sent) } };
  };
}

/** The deadline of the authorisations must be in the future. */
export function verifyCompletion(authorisation: Authorisation | undefined, now: Date): Fault[] {
  const date = parseDateTime(authorisation?.CompletionDateTime ?? '');
  return date === undefined || date > now
    ? []
    : [fieldInvalidDate('Data.Authorisation.CompletionDateTime', 'must be in the future')];
}
