import { formatDateTime } from '#libs/obie-rules';
import { present } from '../file-payment/write/present.js';
import type { AccessWire } from '../wire.js';
import type { AccessShape } from './access-shape.js';
import type { AccessVersion } from './access-version.js';

/**
 * OBReadConsentResponse1, OBFundsConfirmationConsentResponse1: the whole resource, without members that have no value.
 */
export function createAccessWriter(
  { stateName, reasons }: AccessVersion['words'],
  { writeTerms, besideData = {} }: Pick<AccessShape, 'writeTerms' | 'besideData'>,
): AccessWire['write'] {
  return (consent, self) => ({
    Data: {
      ConsentId: consent.consentId,
      CreationDateTime: formatDateTime(consent.createdAt),
      Status: stateName(consent.status),
      ...present('StatusReason', reasons?.(consent)),
      StatusUpdateDateTime: formatDateTime(consent.statusUpdatedAt),
      ...writeTerms(consent.terms),
    },
    ...besideData,
    Links: { Self: self },
    Meta: {},
  });
}
