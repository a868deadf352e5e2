import { formatDateTime } from '#libs/obie-rules';
import type { Wire } from '../../wire.js';
import type { FilePaymentWords } from '../version.js';
import { present } from './present.js';

/** OBWriteFileConsentResponse: the whole resource, without members that have no value. */
export function createConsentWriter({
  stateName,
  reasonsOfConsent,
  initiation,
}: FilePaymentWords): Wire['write']['consent'] {
  return (consent, self, { isDebtorShown }) => ({
    Data: {
      ConsentId: consent.consentId,
      CreationDateTime: formatDateTime(consent.createdAt),
      Status: stateName(consent.status),
      ...present('StatusReason', reasonsOfConsent?.(consent)),
      StatusUpdateDateTime: formatDateTime(consent.statusUpdatedAt),
      ...(consent.cutOffAt === undefined ? {} : { CutOffDateTime: formatDateTime(consent.cutOffAt) }),
      Charges: consent.charges,
      Initiation: initiation(consent.initiation),
      ...(consent.authorisation === undefined ? {} : { Authorisation: consent.authorisation }),
      ...(consent.scaSupportData === undefined ? {} : { SCASupportData: consent.scaSupportData }),
      ...(isDebtorShown ? present('Debtor', consent.debtorAccount) : {}),
    },
    Links: { Self: self },
    Meta: {},
  });
}
