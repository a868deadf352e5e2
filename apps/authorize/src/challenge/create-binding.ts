import { isDeepStrictEqual } from 'node:util';
import type { AccessToDecide, PendingAuthorizationRequest, SessionChallenge } from '#libs/authorization-session';
import type { AccountIdentification, ChallengeBinding, ChallengeTpp, PaymentBinding } from '#libs/bank';
import { formatDecimal } from '#libs/obie-rules';
import type { PaymentsToApprove } from '../consent/payments-to-approve.js';

/** The account of a decision, in the names of OBCashAccount. */
export type ChosenAccount = NonNullable<SessionChallenge['debtorAccount']>;

/** @returns who asks, as the pages show it */
export function toChallengeTpp(
  client: Pick<PendingAuthorizationRequest, 'clientName' | 'orgName' | 'orgId' | 'registerNumber'>,
): ChallengeTpp {
  const { clientName, orgName, orgId, registerNumber } = client;
  const tpp = { clientName, organisationName: orgName, organisationId: orgId };
  return registerNumber === undefined ? tpp : { ...tpp, registerNumber };
}

/** @returns a file of payments as the bank binds its challenge to it: total and payees, account and asker (SCA-RTS art. 5(3)(b)) */
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
    debtorAccount: { schemeName: account.SchemeName, identification: account.Identification },
    tpp,
  };
}

/** What a consent to access says, and the accounts that were chosen. */
export interface ChosenAccess {
  readonly terms: AccessToDecide['terms'];
  readonly accounts: NonNullable<SessionChallenge['accounts']>;
}

/** @returns an authorisation without payment, as the bank binds its challenge to it: what may be read, of which accounts, until when */
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
    ...(request.isLasting === true && { lastsSeconds }),
    ...(access && { accounts: access.accounts.map(toIdentification) }),
    ...(access?.terms.expirationDateTime !== undefined && { endsAt: access.terms.expirationDateTime }),
    tpp: toChallengeTpp(request),
  };
}

function toIdentification({ SchemeName, Identification }: ChosenAccess['accounts'][number]): AccountIdentification {
  return { schemeName: SchemeName, identification: Identification };
}

/**
 * @param current the values as they are now
 * @returns the values that the bank has bound; undefined if one of them is another now. A member that only one version knows says nothing:
 * while two versions run, a challenge may have been begun by the other one
 */
export function findBinding({ bound }: SessionChallenge, current: ChallengeBinding): ChallengeBinding | undefined {
  if (bound === undefined) return current;
  return agrees(bound, current) ? (bound as unknown as ChallengeBinding) : undefined;
}

function agrees(bound: unknown, current: unknown): boolean {
  if (current === undefined) return true;
  if (!isRecord(bound) || !isRecord(current)) return isDeepStrictEqual(bound, current);
  return Object.entries(bound).every(([member, value]) => agrees(value, current[member]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
