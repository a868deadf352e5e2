import { format31Single } from '#libs/file-payment';
import { OBWriteFundsConfirmationResponse1 } from '../../domestic-payment/bodies.js';
import { createDomesticPaymentWire } from '../../domestic-payment/create-domestic-payment-wire.js';
import { toShown } from '../../file-payment/read/to-initiation.js';
import { fileBodies31 } from '../file-payment/dto/ob-payment-file.dto.js';
import { stateName } from '../file-payment/states.js';
import { toStatusDetail } from '../file-payment/status-detail.js';
import { paymentVersion31, text31 } from '../payment-version.js';
import {
  OBWriteDomestic2,
  OBWriteDomesticConsent4,
  OBWriteDomesticConsentResponse5,
  OBWriteDomesticResponse5,
} from './bodies.js';

const initiation = {
  InstructionIdentification: 'ORDER-17',
  EndToEndIdentification: 'INV-17',
  InstructedAmount: { Amount: '120.50', Currency: 'GBP' },
  CreditorAccount: {
    SchemeName: 'UK.OBIE.SortCodeAccountNumber',
    Identification: '20000110000002',
    Name: 'A Supplier Ltd',
  },
  RemittanceInformation: { Reference: 'INV-17' },
};

/** Single domestic payments in the Read/Write API 3.1. */
export const domesticPaymentWire31 = createDomesticPaymentWire({
  ...paymentVersion31,
  document: { name: 'domestic-payments', title: 'Domestic payments', edition: '3.1.11' },
  forms: { consent: OBWriteDomesticConsent4, payment: OBWriteDomestic2, format: format31Single, known: toShown },
  words: {
    stateName,
    statusDetail: toStatusDetail,
    initiation: (sent) => sent,
    stateOfPayment: ({ only, payment }) => ({
      status: stateName(only?.status ?? 'Pending'),
      at: only?.statusUpdatedAt ?? payment.statusUpdatedAt,
    }),
  },
  text: {
    ...text31,
    classes: {
      consent: OBWriteDomesticConsent4,
      consentAnswer: OBWriteDomesticConsentResponse5,
      payment: OBWriteDomestic2,
      paymentAnswer: OBWriteDomesticResponse5,
      detailsAnswer: fileBodies31.OBWritePaymentDetailsResponse1,
      fundsAnswer: OBWriteFundsConfirmationResponse1,
      ...text31.classes,
    },
    example: { initiation },
    firstState: 'Pending',
    bodyFaults: [],
  },
});
