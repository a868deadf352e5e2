import type { NewFilePaymentConsent } from '#libs/consent';
import { fieldInvalidDate, type ObErrorItem } from '#libs/error-envelope';
import { parseDateTime, withZone } from '#libs/obie-rules';
import { OBWriteFileConsent3, type OBAuthorisation1 } from '../obie-models/ob-write-file-consent.dto.js';
import { readBody } from '../obie-models/read-body.js';
import { SoundMembers } from '../obie-models/sound-members.js';
import { isEmpty, toInitiation } from '../obie-models/to-initiation.js';
import { verifyInitiation } from '../obie-models/verify-initiation.js';

/**
 * @param document parsed body of POST /file-payment-consents
 * @returns the consent to stage, or everything that is wrong with it
 */
export function readConsentRequest(
  document: Record<string, unknown>,
  now: Date,
): { consent: NewFilePaymentConsent } | { faults: ObErrorItem[] } {
  const { body, faults: formFaults } = readBody(OBWriteFileConsent3, document);
  const sound = new SoundMembers(formFaults);
  const faults = [
    ...formFaults,
    // What has the right form is held against the rules even if its neighbours have not: one answer names everything.
    ...(sound.has('Data.Initiation') ? verifyInitiation(body.Data.Initiation, sound, now) : []),
    ...(sound.has('Data.Authorisation.CompletionDateTime') ? verifyCompletion(body.Data.Authorisation, now) : []),
  ];
  if (faults.length > 0) return { faults };
  const { Initiation, Authorisation, SCASupportData } = body.Data;
  return {
    consent: {
      initiation: toInitiation(Initiation),
      ...(Authorisation === undefined ? {} : { authorisation: toAuthorisation(Authorisation) }),
      ...(isEmpty(SCASupportData) ? {} : { scaSupportData: { ...SCASupportData } }),
    },
  };
}

function verifyCompletion(authorisation: OBAuthorisation1 | undefined, now: Date): ObErrorItem[] {
  const date =
    authorisation?.CompletionDateTime === undefined ? undefined : parseDateTime(authorisation.CompletionDateTime);
  return date === undefined || date > now
    ? []
    : [fieldInvalidDate('Data.Authorisation.CompletionDateTime', 'must be in the future')];
}

function toAuthorisation({ AuthorisationType, CompletionDateTime }: OBAuthorisation1) {
  return {
    AuthorisationType,
    ...(CompletionDateTime === undefined ? {} : { CompletionDateTime: withZone(CompletionDateTime) }),
  };
}
