import type { AccessToDecide, PendingAuthorizationRequest, SessionChallenge } from '#libs/customer-session';
import type { AccountIdentification, ChallengeBinding, ChallengeTpp, PaymentBinding } from '#libs/bank';
import { formatDecimal } from '#libs/obie-rules';
import type { ListedPayment } from '#libs/payment-order';
import type { PaymentsToApprove } from '../consent/payments-to-approve.js';

/** The account of a decision, in the names of OBCashAccount. */
export type ChosenAccount = NonNullable<SessionChallenge['debtorAccount']>;

/** @returns the requesting TPP as the pages show it */
export function toChallengeTpp(
  client: Pick<PendingAuthorizationRequest, 'clientName' | 'orgName' | 'orgId' | 'registerNumber' | 'onBehalfOfOrg'>,
): ChallengeTpp {
  const { clientName, orgName, orgId, registerNumber, onBehalfOfOrg: onBehalfOf } = client;
  return {
    clientName,
    organisationName: orgName,
    organisationId: orgId,
    ...(registerNumber !== undefined && { registerNumber }),
    ...(onBehalfOf !== undefined && { onBehalfOf }),
  };
}

/**
 * @returns the values to which the bank binds its challenge: total and payees, account and TPP (SCA-RTS art. 5(3)(b)).
 *   The payee of a single payment is named, so that the bank can show it (art. 5(1)(a))
 */
export function createPaymentBinding(of: {
  psuId: string;
  interactionId: string;
  consentId: string;
  file: Pick<PaymentsToApprove, 'total' | 'currency' | 'payments' | 'approvalHash'>;
  account: ChosenAccount;
  tpp: ChallengeTpp;
}): PaymentBinding {
  const { psuId, interactionId, consentId, file, account, tpp } = of;
  return {
    purpose: 'Payment',
    psuId,
    interactionId,
    fileId: consentId,
    total: formatDecimal(file.total),
    currency: file.currency,
    numberOfPayments: file.payments.length,
    payeesHash: file.approvalHash.toString('base64url'),
    ...(file.payments.length === 1 && { payee: toPayee(file.payments[0]!) }),
    debtorAccount: { schemeName: account.SchemeName, identification: account.Identification },
    tpp,
  };
}

function toPayee({ payeeName: name, payeeAccount }: ListedPayment): PaymentBinding['payee'] {
  const { scheme: schemeName, identification, secondaryIdentification } = payeeAccount;
  return {
    name,
    schemeName,
    identification,
    ...(secondaryIdentification !== undefined && { secondaryIdentification }),
  };
}

/** The terms of an access consent, and the chosen accounts. */
export interface ChosenAccess {
  readonly terms: AccessToDecide['terms'];
  readonly accounts: NonNullable<SessionChallenge['accounts']>;
}

/**
 * @returns the values of an authorisation without payment to which the bank binds its challenge: permissions, accounts,
 * end
 */
export function createAccessBinding(of: {
  psuId: string;
  interactionId: string;
  request: PendingAuthorizationRequest;
  /** of an approval that the client can renew */
  lastsSeconds: number;
  /** where there is a consent */
  access?: ChosenAccess | undefined;
}): ChallengeBinding {
  const { psuId, interactionId, request, lastsSeconds, access } = of;
  return {
    purpose: 'Access',
    psuId,
    interactionId,
    data: access?.terms.permissions ?? request.scope,
    ...(request.isLasting && { lastsSeconds }),
    ...(access && { accounts: access.accounts.map(toIdentification) }),
    ...(access?.terms.expirationDateTime !== undefined && { endsAt: access.terms.expirationDateTime }),
    tpp: toChallengeTpp(request),
  };
}

function toIdentification({ SchemeName, Identification }: ChosenAccess['accounts'][number]): AccountIdentification {
  return { schemeName: SchemeName, identification: Identification };
}
