import { bodiless } from '#libs/api-description';
import { createFault, fieldMissing, fieldUnexpected } from '#libs/error-catalogue';
import { wrongStatus } from '../file-payment/documents/ob-answers.js';
import {
  documentsOf,
  exampleAnswer,
  exampleTimes,
  type ReadOperation,
  type WriteOperation,
} from '../file-payment/documents/payment-operation.js';
import {
  exampleConsentId,
  exampleFilePaymentId,
  examplePaymentIds,
  exampleTime,
} from '../file-payment/example-file.js';
import type { AreaDocument, DomesticWire, ResourceStatus } from '../wire.js';
import type { DomesticText } from './version.js';

const consents = 'Domestic payment consents';
const payments = 'Domestic payments';
const grantType = 'authorization_code';
const Risk = { PaymentContextCode: 'TransferToThirdParty' };

/** @returns the introduction to single domestic payments in the API document of a version */
export function describeDomesticArea(
  version: string,
  stateName: DomesticWire['stateName'],
): Pick<AreaDocument, 'description' | 'tags'> {
  return {
    description:
      `One payment (FPS, BACS, CHAPS or balance transfer), made as soon as possible. Read/Write API v${version}.\n\n` +
      '1. `POST /domestic-payment-consents`: describe the payment. The status is ' +
      `${stateName('AwaitingAuthorisation')}.\n` +
      `2. Send the customer to approve (see Authorisation). The status becomes ${stateName('Authorised')}.\n` +
      '3. With the token of that approval: ask whether the money is there, if you like, and\n' +
      `   \`POST /domestic-payments\`. The status becomes ${stateName('Consumed')}.\n` +
      '4. Read the status of the payment.\n\n' +
      'Sign every POST (`x-jws-signature`) and give it an idempotency key (`x-idempotency-key`): it takes effect ' +
      'once. The bank signs answers that have a body.',
    tags: {
      [consents]: 'What the customer is asked to approve: a payment.',
      [payments]: 'The payment of an approved consent and its outcome.',
    },
  };
}

function consentExample(text: DomesticText, status: ResourceStatus) {
  const Status = text.stateName(status);
  const { initiation: Initiation } = text.example;
  const Data = { ConsentId: exampleConsentId, ...exampleTimes, Status, Charges: [], Initiation };
  return exampleAnswer(text, `domestic-payment-consents/${exampleConsentId}`, Data, { Risk });
}

function paymentExample(text: DomesticText, Status: string) {
  const { initiation: Initiation } = text.example;
  const ids = { DomesticPaymentId: exampleFilePaymentId, ConsentId: exampleConsentId };
  const Data = { ...ids, ...exampleTimes, Status, Charges: [], Initiation };
  return exampleAnswer(text, `domestic-payments/${exampleFilePaymentId}`, Data);
}

const missing = fieldMissing('Data.Initiation.EndToEndIdentification');
const unexpected = fieldUnexpected('Data.Initiation.RequestedExecutionDateTime', 'is not part of this format');
const context = 'Risk.PaymentContextCode';
const mismatch = createFault(
  'Resource.ConsentMismatch',
  `${context} differs from the consent that was authorised.`,
  context,
);

/** @returns the documentation of the operations in one version */
export function domesticDocuments(text: DomesticText): DomesticWire['documents'] {
  const { classes, stateName } = text;
  const settled = paymentExample(text, stateName('AcceptedSettlementCompleted'));
  return documentsOf(text, {
    createConsent: {
      tag: consents,
      operationId: 'CreateDomesticPaymentConsents',
      summary: 'Stage a domestic payment',
      description: 'The first step: describes the payment. It names no customer; the account to debit is optional.',
      answer: {
        description: 'The consent, waiting for the customer.',
        document: classes.consentAnswer,
        examples: { consent: { summary: 'Staged', value: consentExample(text, 'AwaitingAuthorisation') } },
      },
      writes: {
        bodies: [classes.consent],
        examples: { consent: { summary: 'A payment', value: { Data: { Initiation: text.example.initiation }, Risk } } },
        faults: [...text.bodyFaults, unexpected, missing],
      },
    },
    readConsent: {
      tag: consents,
      operationId: 'GetDomesticPaymentConsentsConsentId',
      summary: 'Read the consent to a domestic payment',
      description: 'The status shows whether the customer has approved.',
      answer: {
        description: 'The consent.',
        document: classes.consentAnswer,
        examples: { approved: { summary: 'Approved by the customer', value: consentExample(text, 'Authorised') } },
      },
      reads: 'ConsentId',
    },
    confirmFunds: confirmFunds(text),
    createPayment: createPayment(text),
    readPayment: {
      tag: payments,
      operationId: 'GetDomesticPaymentsDomesticPaymentId',
      summary: 'Read the status of a domestic payment',
      description: 'The status is that of the payment itself.',
      answer: {
        description: 'The payment.',
        document: classes.paymentAnswer,
        examples: { settled: { summary: 'Settled', value: settled } },
      },
      reads: 'DomesticPaymentId',
    },
    readPaymentDetails: {
      tag: payments,
      operationId: 'GetDomesticPaymentsDomesticPaymentIdPaymentDetails',
      summary: "Read the scheme's status of a domestic payment",
      description: 'A list of one.',
      answer: {
        description: 'The state.',
        document: classes.detailsAnswer,
        examples: { settled: { summary: 'Settled', value: detailsExample(text) } },
      },
      reads: 'DomesticPaymentId',
    },
  });
}

function detailsExample(text: DomesticText) {
  const Status = text.stateName('AcceptedSettlementCompleted');
  const [PaymentTransactionId] = examplePaymentIds;
  const PaymentStatus = [{ PaymentTransactionId, Status, StatusUpdateDateTime: exampleTime }];
  return exampleAnswer(text, `domestic-payments/${exampleFilePaymentId}/payment-details`, { PaymentStatus });
}

function confirmFunds(text: DomesticText): ReadOperation {
  const FundsAvailableResult = { FundsAvailableDateTime: exampleTime, FundsAvailable: true };
  const path = `domestic-payment-consents/${exampleConsentId}/funds-confirmation`;
  return {
    tag: consents,
    grantType,
    operationId: 'GetDomesticPaymentConsentsConsentIdFundsConfirmation',
    summary: 'Ask whether the money of a domestic payment is there',
    description: `Only while the consent is ${text.stateName('Authorised')}. Reserves nothing.`,
    answer: {
      description: 'The answer of this moment.',
      document: text.classes.fundsAnswer,
      examples: {
        there: { summary: 'The money is there', value: exampleAnswer(text, path, { FundsAvailableResult }) },
      },
    },
    reads: 'ConsentId',
    furtherAnswers: {
      503: bodiless('The bank does not answer at the moment, or the service is overloaded.', ['retry-after']),
    },
  };
}

function createPayment(text: DomesticText): WriteOperation {
  const needed = `A payment needs an ${text.stateName('Authorised')} consent; the consent is`;
  const Data = { ConsentId: exampleConsentId, Initiation: text.example.initiation };
  return {
    tag: payments,
    grantType,
    operationId: 'CreateDomesticPayments',
    summary: 'Make a domestic payment',
    description: 'Makes the payment of an approved consent, once, with the token of that approval.',
    answer: {
      description: 'The payment. The bank is making it.',
      document: text.classes.paymentAnswer,
      examples: { payment: { summary: 'Accepted', value: paymentExample(text, text.firstState) } },
    },
    writes: {
      bodies: [text.classes.payment],
      examples: { payment: { summary: 'For the example of the consent', value: { Data, Risk } } },
      faults: [mismatch, wrongStatus(`${needed} ${text.stateName('Rejected')}.`)],
      there: `${needed} ${text.stateName('Consumed')}.`,
    },
  };
}
