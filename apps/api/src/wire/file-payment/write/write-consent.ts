import { formatDateTime } from '#libs/obie-rules';
import type { PaymentWire } from '../../wire.js';
import type { PaymentWords } from '../version.js';
import { present } from './present.js';

/**
 * OBWriteFileConsentResponse, OBWriteDomesticConsentResponse: the whole resource, without members that have no value.
 */
export function createConsentWriter<Sent extends object>({
  stateName,
  reasonsOfConsent,
  initiation,
}: PaymentWords<Sent>): PaymentWire<Sent>['write']['consent'] {
  return (consent, self, { isDebtorShown }) => ({
    Data: {
      ConsentId: consent.consentId,
      CreationDateTime: formatDateTime(consent.createdAt),
      Status: stateName(consent.status),
      ...present('StatusReason', reasonsOfConsent?.(consent)),
      StatusUpdateDateTime: formatDateTime(consent.statusUpdatedAt),
      ...(consent.cutOffAt === undefined ? {} : { CutOffDateTime: formatDateTime(consent.cutOffAt) }),
      ...(consent.readRefundAccount === undefined ? {} : { ReadRefundAccount: consent.readRefundAccount }),
      Charges: consent.charges,
      Initiation: initiation(consent.initiation),
      ...(consent.authorisation === undefined ? {} : { Authorisation: consent.authorisation }),
      ...(consent.scaSupportData === undefined ? {} : { SCASupportData: consent.scaSupportData }),
      ...(isDebtorShown ? present('Debtor', consent.debtorAccount) : {}),
    },
    ...(consent.risk === undefined ? {} : { Risk: consent.risk }),
    Links: { Self: self },
    Meta: {},
  });
}
