import { mostPayments } from '#libs/obie-rules';

/** JSON schemas of the requests, as deploy/bank-openapi.yaml declares them. */
export const text = (maxLength: number): object => ({ type: 'string', minLength: 1, maxLength });
export const object = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

export interface AccountIdentification {
  schemeName: string;
  identification: string;
}
export const accountIdentification = { schemeName: text(40), identification: text(256) };
export const amount = { type: 'string', pattern: '^\\d{1,13}(\\.\\d{1,5})?$' };
/** As many of the largest amounts as a file has. */
export const total = { type: 'string', pattern: '^\\d{1,16}(\\.\\d{1,5})?$' };
export const currency = { type: 'string', pattern: '^[A-Z]{3}$' };
export const localInstrument = { enum: ['UK.OBIE.FPS', 'UK.OBIE.BACS', 'UK.OBIE.CHAPS', 'UK.OBIE.BalanceTransfer'] };
export const executionDate = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
export const payeesHash = { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' };
export const uuid = { type: 'string', format: 'uuid' };

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

export interface PayeeAccount extends AccountIdentification {
  secondaryIdentification?: string;
}
export interface NamedPayee extends PayeeAccount {
  name: string;
}
export interface PayeeNameChecksRequest {
  psuId: string;
  payees: NamedPayee[];
}
export interface KnownPayeesRequest {
  psuId: string;
  payees: PayeeAccount[];
}
const payeeAccount = { ...accountIdentification, secondaryIdentification: text(34) };
const payees = (payee: Record<string, object>): object =>
  object({
    psuId: text(128),
    payees: { type: 'array', minItems: 1, maxItems: mostPayments, items: object(payee, ['secondaryIdentification']) },
  });
export const payeeNameChecksRequest = payees({ ...payeeAccount, name: text(350) });
export const knownPayeesRequest = payees(payeeAccount);

export interface FundsCheckRequest {
  consentId: string;
  psuId: string;
  account: AccountIdentification;
  amount: string;
  currency: string;
}
export const fundsCheckRequest = object({
  consentId: uuid,
  psuId: text(128),
  account: object(accountIdentification),
  amount,
  currency,
});

export interface PaymentBatchRequest {
  fileId: string;
  psuId: string;
  debtorAccount: AccountIdentification;
  total: string;
  currency: string;
  numberOfPayments: number;
  payeesHash: string;
  challengeIds: string[];
  localInstrument: string;
  requestedExecutionDate?: string;
  risk?: object;
}
export const paymentBatchRequest = object(
  {
    fileId: uuid,
    psuId: text(128),
    debtorAccount: object(accountIdentification),
    total,
    currency,
    numberOfPayments: { type: 'integer', minimum: 1 },
    payeesHash,
    challengeIds: { type: 'array', minItems: 1, maxItems: 100, uniqueItems: true, items: text(64) },
    localInstrument,
    requestedExecutionDate: executionDate,
    risk: { type: 'object' },
  },
  ['requestedExecutionDate', 'risk'],
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

/** Why a customer declined. */
export type DeclineReport = Readonly<Record<string, string>>;
export const declineReport = object(
  {
    psuId: text(128),
    reason: { type: 'string', enum: ['ChangedMind', 'NotRecognised', 'WrongDetails', 'SuspectedFraud', 'Other'] },
    fileId: uuid,
    filePaymentId: uuid,
    requestedBy: text(350),
  },
  ['fileId', 'filePaymentId'],
);

export const interactionHeaders = { type: 'object', required: ['x-fapi-interaction-id'] };
export const idempotentHeaders = {
  type: 'object',
  required: ['x-fapi-interaction-id', 'idempotency-key'],
  properties: { 'idempotency-key': text(40) },
};
export const attemptHeaders = {
  type: 'object',
  required: [...idempotentHeaders.required, 'x-hand-over-attempt'],
  properties: {
    ...idempotentHeaders.properties,
    'x-hand-over-attempt': { type: 'string', pattern: '^[1-9]\\d{0,8}$' },
  },
};
export const filePaymentParameters = object({ filePaymentId: uuid });
