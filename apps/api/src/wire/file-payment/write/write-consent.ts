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
  return (consent, self, { isDebtorShown }) => {
    const { ReadRefundAccount, ...conditions } = consent.conditions;
    const Data = {
      ConsentId: consent.consentId,
      CreationDateTime: formatDateTime(consent.createdAt),
      Status: stateName(consent.status),
      ...present('StatusReason', reasonsOfConsent?.(consent)),
      StatusUpdateDateTime: formatDateTime(consent.statusUpdatedAt),
      ...(consent.cutOffAt === undefined ? {} : { CutOffDateTime: formatDateTime(consent.cutOffAt) }),
      ...(ReadRefundAccount === undefined ? {} : { ReadRefundAccount }),
      Charges: consent.charges,
      Initiation: initiation(consent.initiation),
      ...conditions,
      ...(isDebtorShown ? present('Debtor', consent.debtorAccount) : {}),
    };
    return { Data, ...(consent.risk === undefined ? {} : { Risk: consent.risk }), Links: { Self: self }, Meta: {} };
  };
}
