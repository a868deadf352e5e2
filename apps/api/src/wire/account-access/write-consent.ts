import { formatDateTime } from '#libs/obie-rules';
import { present } from '../file-payment/write/present.js';
import type { AccessWire } from '../wire.js';
import type { AccessVersion } from './version.js';

/** OBReadConsentResponse1: the whole resource, members without a value left out. */
export function createAccountAccessWriter({ stateName, reasons }: AccessVersion['words']): AccessWire['write'] {
  return (consent, self) => {
    const { permissions, expirationDateTime, transactionFromDateTime, transactionToDateTime } = consent.terms;
    return {
      Data: {
        ConsentId: consent.consentId,
        CreationDateTime: formatDateTime(consent.createdAt),
        Status: stateName(consent.status),
        ...present('StatusReason', reasons?.(consent)),
        StatusUpdateDateTime: formatDateTime(consent.statusUpdatedAt),
        Permissions: permissions,
        ...(expirationDateTime === undefined ? {} : { ExpirationDateTime: expirationDateTime }),
        ...(transactionFromDateTime === undefined ? {} : { TransactionFromDateTime: transactionFromDateTime }),
        ...(transactionToDateTime === undefined ? {} : { TransactionToDateTime: transactionToDateTime }),
      },
      Risk: {},
      Links: { Self: self },
      Meta: {},
    };
  };
}
