import type { LocalInstrument } from '#libs/obie-rules';

// The members of requests that the bank reads; deploy/bank-openapi.yaml declares all members, and requests are checked
// against it.

export interface AccountIdentification {
  schemeName: string;
  identification: string;
}

export interface PasswordRequest {
  username: string;
  password: string;
}

export interface OneTimeCodeRequest {
  psuId: string;
  oneTimeCode: string;
}

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

export interface FundsCheckRequest {
  psuId: string;
  account: AccountIdentification;
  amount: string;
  currency: string;
}

export interface PaymentBatchRequest {
  fileId: string;
  psuId: string;
  debtorAccount: AccountIdentification;
  total: string;
  currency: string;
  numberOfPayments: number;
  payeesHash: string;
  challengeIds: string[];
}

export interface ApprovalRequest {
  psuId: string;
  debtorAccount: AccountIdentification;
  total: string;
  currency: string;
  numberOfPayments: number;
  requestedBy: string;
  approvalsUrl: string;
  approveBefore: string;
}

/** Why a customer declined. */
export type DeclineReport = Readonly<Record<string, string>>;

/** The values of a challenge that this bank reads; it stores and compares all of them. */
export interface ChallengeBinding {
  purpose: 'Payment' | 'Access' | 'SignIn';
  psuId: string;
  total?: string;
  currency?: string;
  numberOfPayments?: number;
  payee?: AccountIdentification & { name: string; secondaryIdentification?: string };
  debtorAccount?: AccountIdentification;
  data?: string[];
  accounts?: AccountIdentification[];
  endsAt?: string;
  lastsSeconds?: number;
  tpp?: {
    clientName: string;
    organisationName: string;
    organisationId: string;
    registerNumber?: string;
    onBehalfOf?: string;
  };
}

/** The values that a payment is compared with before it is made. */
export interface PaymentBinding extends ChallengeBinding {
  fileId: string;
  total: string;
  currency: string;
  numberOfPayments: number;
  payeesHash: string;
  debtorAccount: AccountIdentification;
}

export interface ChallengeVerificationRequest {
  oneTimeCode?: string;
  binding: ChallengeBinding;
}

/** One payment as the service hands it over; it is stored unchanged. */
export interface PaymentRequest {
  paymentId: string;
  filePaymentId: string;
  debtorAccount: AccountIdentification;
  creditorAccount: AccountIdentification;
  amount: string;
  currency: string;
  localInstrument: LocalInstrument;
  requestedExecutionDate?: string;
}
