import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { bodiless, jsonAnswer } from '#libs/api-description';
import type { Fault } from '#libs/error-catalogue';
import { ApiPispOperation, ApiPispPost } from '../file-payment/documents/api-operation.js';
import { readRefused, writeRefused } from '../file-payment/documents/ob-answers.js';
import { addressOf, created, signed, wrongStatus } from '../file-payment/documents/operation-examples.js';
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
const byCustomer = { grantType: 'authorization_code' } as const;
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

const times = { CreationDateTime: exampleTime, StatusUpdateDateTime: exampleTime };

function example(text: DomesticText, path: string, members: object, risk: object = {}) {
  return { Data: { ...members }, ...risk, Links: { Self: addressOf(text, path) }, Meta: {} };
}

function consentExample(text: DomesticText, status: ResourceStatus) {
  const { initiation: Initiation } = text.example;
  const members = { ConsentId: exampleConsentId, ...times, Status: text.stateName(status), Charges: [], Initiation };
  return example(text, `domestic-payment-consents/${exampleConsentId}`, members, { Risk });
}

function paymentExample(text: DomesticText, Status: string) {
  const { initiation: Initiation } = text.example;
  const ids = { DomesticPaymentId: exampleFilePaymentId, ConsentId: exampleConsentId };
  return example(text, `domestic-payments/${exampleFilePaymentId}`, {
    ...ids,
    ...times,
    Status,
    Charges: [],
    Initiation,
  });
}

const missing: Fault = {
  code: 'Field.Missing',
  detail: 'Data.Initiation.EndToEndIdentification is required.',
  path: 'Data.Initiation.EndToEndIdentification',
};
const unexpected: Fault = {
  code: 'Field.Unexpected',
  detail: 'Data.Initiation.RequestedExecutionDateTime is not part of this format.',
  path: 'Data.Initiation.RequestedExecutionDateTime',
};
const mismatch: Fault = {
  code: 'Resource.ConsentMismatch',
  detail: 'Risk.PaymentContextCode differs from the consent that was authorised.',
  path: 'Risk.PaymentContextCode',
};

function createConsent(text: DomesticText): MethodDecorator {
  const operation = {
    operationId: 'CreateDomesticPaymentConsents',
    summary: 'Stage a domestic payment',
    description: 'The first step: describes the payment. It names no customer; the account to debit is optional.',
  };
  return applyDecorators(
    ApiTags(consents),
    ApiPispOperation(text, operation, {
      201: jsonAnswer(text.classes.consentAnswer, {
        description: 'The consent, waiting for the customer.',
        headers: created,
        examples: { consent: { summary: 'Staged', value: consentExample(text, 'AwaitingAuthorisation') } },
      }),
      400: writeRefused(text, [...text.bodyFaults, unexpected, missing]),
    }),
    ApiPispPost(text, [text.classes.consent], {
      consent: { summary: 'A payment', value: { Data: { Initiation: text.example.initiation }, Risk } },
    }),
  );
}

function readConsent(text: DomesticText): MethodDecorator {
  const operation = {
    operationId: 'GetDomesticPaymentConsentsConsentId',
    summary: 'Read the consent to a domestic payment',
    description: 'The status shows whether the customer has approved.',
    params: ['ConsentId'] as const,
  };
  return applyDecorators(
    ApiTags(consents),
    ApiPispOperation(text, operation, {
      200: jsonAnswer(text.classes.consentAnswer, {
        description: 'The consent.',
        headers: signed,
        examples: { approved: { summary: 'Approved by the customer', value: consentExample(text, 'Authorised') } },
      }),
      400: readRefused(text, 'ConsentId'),
    }),
  );
}

function confirmFunds(text: DomesticText): MethodDecorator {
  const operation = {
    operationId: 'GetDomesticPaymentConsentsConsentIdFundsConfirmation',
    summary: 'Ask whether the money of a domestic payment is there',
    description: `Only while the consent is ${text.stateName('Authorised')}. Reserves nothing.`,
    params: ['ConsentId'] as const,
  };
  const FundsAvailableResult = { FundsAvailableDateTime: exampleTime, FundsAvailable: true };
  const path = `domestic-payment-consents/${exampleConsentId}/funds-confirmation`;
  return applyDecorators(
    ApiTags(consents),
    ApiPispOperation({ ...text, ...byCustomer }, operation, {
      200: jsonAnswer(text.classes.fundsAnswer, {
        description: 'The answer of this moment.',
        headers: signed,
        examples: { there: { summary: 'The money is there', value: example(text, path, { FundsAvailableResult }) } },
      }),
      400: readRefused(text, 'ConsentId'),
      503: bodiless('The bank does not answer at the moment, or the service is overloaded.', ['retry-after']),
    }),
  );
}

function createPayment(text: DomesticText): MethodDecorator {
  const needed = `A payment needs an ${text.stateName('Authorised')} consent; the consent is`;
  const operation = {
    operationId: 'CreateDomesticPayments',
    summary: 'Make a domestic payment',
    description: 'Makes the payment of an approved consent, once, with the token of that approval.',
  };
  const Data = { ConsentId: exampleConsentId, Initiation: text.example.initiation };
  return applyDecorators(
    ApiTags(payments),
    ApiPispOperation({ ...text, ...byCustomer }, operation, {
      201: jsonAnswer(text.classes.paymentAnswer, {
        description: 'The payment. The bank is making it.',
        headers: created,
        examples: { payment: { summary: 'Accepted', value: paymentExample(text, text.firstState) } },
      }),
      400: writeRefused(text, [mismatch, wrongStatus(`${needed} ${text.stateName('Rejected')}.`)]),
    }),
    ApiPispPost(
      text,
      [text.classes.payment],
      { payment: { summary: 'For the example of the consent', value: { Data, Risk } } },
      `${needed} ${text.stateName('Consumed')}.`,
    ),
  );
}

function readPayment(text: DomesticText): MethodDecorator {
  const operation = {
    operationId: 'GetDomesticPaymentsDomesticPaymentId',
    summary: 'Read the status of a domestic payment',
    description: 'The status is that of the payment itself.',
    params: ['DomesticPaymentId'] as const,
  };
  const settled = paymentExample(text, text.stateName('AcceptedSettlementCompleted'));
  return applyDecorators(
    ApiTags(payments),
    ApiPispOperation(text, operation, {
      200: jsonAnswer(text.classes.paymentAnswer, {
        description: 'The payment.',
        headers: signed,
        examples: { settled: { summary: 'Settled', value: settled } },
      }),
      400: readRefused(text, 'DomesticPaymentId'),
    }),
  );
}

function readPaymentDetails(text: DomesticText): MethodDecorator {
  const operation = {
    operationId: 'GetDomesticPaymentsDomesticPaymentIdPaymentDetails',
    summary: "Read the scheme's status of a domestic payment",
    description: 'A list of one.',
    params: ['DomesticPaymentId'] as const,
  };
  const Status = text.stateName('AcceptedSettlementCompleted');
  const [PaymentTransactionId] = examplePaymentIds;
  const PaymentStatus = [{ PaymentTransactionId, Status, StatusUpdateDateTime: exampleTime }];
  const value = example(text, `domestic-payments/${exampleFilePaymentId}/payment-details`, { PaymentStatus });
  return applyDecorators(
    ApiTags(payments),
    ApiPispOperation(text, operation, {
      200: jsonAnswer(text.classes.detailsAnswer, {
        description: 'The state.',
        headers: signed,
        examples: { settled: { summary: 'Settled', value } },
      }),
      400: readRefused(text, 'DomesticPaymentId'),
    }),
  );
}

/** @returns the documentation of the operations in one version */
export function domesticDocuments(text: DomesticText): DomesticWire['documents'] {
  return {
    createConsent: () => createConsent(text),
    readConsent: () => readConsent(text),
    confirmFunds: () => confirmFunds(text),
    createPayment: () => createPayment(text),
    readPayment: () => readPayment(text),
    readPaymentDetails: () => readPaymentDetails(text),
  };
}
