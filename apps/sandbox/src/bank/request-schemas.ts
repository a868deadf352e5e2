/** JSON schemas of the requests, as deploy/bank-openapi.yaml declares them. */
const text = (maxLength: number): object => ({ type: 'string', minLength: 1, maxLength });
const object = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

export interface AccountIdentification {
  schemeName: string;
  identification: string;
}
const accountIdentification = { schemeName: text(40), identification: text(256) };
const amount = { type: 'string', pattern: '^\\d{1,13}(\\.\\d{1,5})?$' };
/** 150 of the largest amounts. */
const total = { type: 'string', pattern: '^\\d{1,16}(\\.\\d{1,5})?$' };
const currency = { type: 'string', pattern: '^[A-Z]{3}$' };
const localInstrument = { enum: ['UK.OBIE.FPS', 'UK.OBIE.BACS', 'UK.OBIE.CHAPS', 'UK.OBIE.BalanceTransfer'] };
const executionDate = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
const uuid = { type: 'string', format: 'uuid' };

export interface PasswordRequest {
  username: string;
  password: string;
}
export const passwordRequest = object({ username: text(128), password: text(256) });

export interface OneTimeCodeRequest {
  psuId: string;
  oneTimeCode: string;
}
export const oneTimeCodeRequest = object({
  psuId: text(128),
  oneTimeCode: { type: 'string', pattern: '^[0-9A-Za-z]{4,12}$' },
});

export interface PaymentBatchRequest {
  fileId: string;
  psuId: string;
  debtorAccount: AccountIdentification;
  total: string;
  currency: string;
  localInstrument: string;
  requestedExecutionDate?: string;
}
export const paymentBatchRequest = object(
  {
    fileId: uuid,
    psuId: text(128),
    debtorAccount: object(accountIdentification),
    total,
    currency,
    localInstrument,
    requestedExecutionDate: executionDate,
  },
  ['requestedExecutionDate'],
);

export interface PaymentRequest {
  paymentId: string;
  filePaymentId: string;
  debtorAccount: AccountIdentification;
  creditorAccount: AccountIdentification & { name: string; secondaryIdentification?: string };
  amount: string;
  currency: string;
  localInstrument: string;
  endToEndIdentification?: string;
  reference?: string;
  unstructured?: string;
  creditorPostalAddress?: Record<string, unknown>;
  requestedExecutionDate?: string;
}
export const paymentRequest = object(
  {
    paymentId: text(35),
    filePaymentId: uuid,
    debtorAccount: object(accountIdentification),
    creditorAccount: object({ ...accountIdentification, name: text(350), secondaryIdentification: text(34) }, [
      'secondaryIdentification',
    ]),
    amount,
    currency,
    localInstrument,
    endToEndIdentification: text(35),
    reference: text(35),
    unstructured: text(140),
    creditorPostalAddress: { type: 'object' },
    requestedExecutionDate: executionDate,
  },
  ['endToEndIdentification', 'reference', 'unstructured', 'creditorPostalAddress', 'requestedExecutionDate'],
);

export interface ApprovalRequest {
  filePaymentId: string;
  psuId: string;
  debtorAccount: AccountIdentification;
  total: string;
  currency: string;
  numberOfPayments: number;
  requestedBy: string;
  approvalsRequired: number;
  approvalsReceived: number;
  approvalsUrl: string;
  approveBefore: string;
}
export const approvalRequest = object({
  filePaymentId: uuid,
  psuId: text(128),
  debtorAccount: object(accountIdentification),
  total,
  currency,
  numberOfPayments: { type: 'integer', minimum: 1 },
  requestedBy: text(350),
  approvalsRequired: { type: 'integer', minimum: 2, maximum: 100 },
  approvalsReceived: { type: 'integer', minimum: 1, maximum: 99 },
  approvalsUrl: { type: 'string', format: 'uri' },
  approveBefore: { type: 'string', format: 'date-time' },
});

export const interactionHeaders = { type: 'object', required: ['x-fapi-interaction-id'] };
export const idempotentHeaders = {
  type: 'object',
  required: ['x-fapi-interaction-id', 'idempotency-key'],
  properties: { 'idempotency-key': text(40) },
};
