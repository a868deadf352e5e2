import type { FilePaymentConsent } from '#libs/consent';
import { formatDateTime } from '#libs/obie-rules';
import { pispPath } from '../resource-request.js';

/** @returns the absolute address of a consent */
export function consentLocation(baseUrl: string, consentId: string): string {
  return `${baseUrl}/${pispPath}/file-payment-consents/${consentId}`;
}

/** OBWriteFileConsentResponse3: the whole resource, members without a value left out. */
export function toFilePaymentConsentResponse(consent: FilePaymentConsent, self: string) {
  return {
    Data: {
      ConsentId: consent.consentId,
      CreationDateTime: formatDateTime(consent.createdAt),
      Status: consent.status,
      StatusUpdateDateTime: formatDateTime(consent.statusUpdatedAt),
      ...(consent.cutOffAt === undefined ? {} : { CutOffDateTime: formatDateTime(consent.cutOffAt) }),
      Charges: consent.charges,
      Initiation: consent.initiation,
      ...(consent.authorisation === undefined ? {} : { Authorisation: consent.authorisation }),
      ...(consent.scaSupportData === undefined ? {} : { SCASupportData: consent.scaSupportData }),
    },
    Links: { Self: self },
    Meta: {},
  };
}
