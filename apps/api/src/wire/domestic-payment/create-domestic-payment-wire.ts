import { domesticPaymentKind } from '#libs/domestic-payment';
import { formatDateTime } from '#libs/obie-rules';
import { createConsentWriter } from '../file-payment/write/write-consent.js';
import { createPaymentWriters } from '../file-payment/write/write-payment.js';
import type { DomesticWire } from '../wire.js';
import { describeDomesticArea, domesticDocuments } from './documents.js';
import { createRequestReaders } from './read-requests.js';
import type { DomesticVersion } from './version.js';

/** @returns single domestic payments in one version, with what versions share */
export function createDomesticPaymentWire({ forms, words, text, ...version }: DomesticVersion): DomesticWire {
  return {
    ...version,
    kind: domesticPaymentKind,
    paymentId: 'DomesticPaymentId',
    isPaidByCustomer: true,
    document: { ...version.document, ...describeDomesticArea(version.version, words.stateName) },
    isClosed: true,
    isSigned: true,
    area: 'payment initiation',
    read: createRequestReaders(forms),
    write: {
      consent: createConsentWriter(words),
      ...createPaymentWriters(words, 'DomesticPaymentId'),
      funds: ({ isAvailable, at }, self) => ({
        Data: { FundsAvailableResult: { FundsAvailableDateTime: formatDateTime(at), FundsAvailable: isAvailable } },
        Links: { Self: self },
        Meta: {},
      }),
    },
    stateName: words.stateName,
    documents: domesticDocuments(text),
  };
}
