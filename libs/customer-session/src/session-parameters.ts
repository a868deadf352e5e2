import { accessKindOf } from '#libs/access-consent';
import type { AnsweredClient, PendingAuthorizationRequest } from './authorization-session.js';
import type { SessionKey } from './customer-session.js';
import type { DeclineNotice } from './decline-notice-queue.js';
import type { DeclineReason } from './decline-reason.js';
import type { SessionChallenge } from './session-challenge.js';

/**
 * The outcome of an approval. 'ConsentChanged': the consent or its file is no longer what it was. 'ClientChanged': the
 * client, its redirect URI, its grant or its scope has been withdrawn, so nothing may be sent there. 'ProfileChanged':
 * the client is no longer registered as it was when the answer was made. In these cases the session has ended without
 * a code. 'NotOpen': the session had ended or expired before; nothing changed.
 */
export type Approval = 'Approved' | 'ConsentChanged' | 'ClientChanged' | 'ProfileChanged' | 'NotOpen';

/** @returns the kind of consent that can be authorised under this scope; null: none */
export function kindOf(scope: readonly string[]): string | null {
  const [word = '', ...others] = scope.filter((each) => each !== 'openid');
  if (others.length > 0) return null;
  return word === 'payments' ? word : (accessKindOf([word])?.name ?? null);
}

/** An approval, and its authentication. */
export interface Decision {
  readonly key: SessionKey;
  readonly challengeId: string;
  readonly acr: string;
  readonly authenticatedAt: Date;
  /** as it was registered when the answer was made */
  readonly client: AnsweredClient;
  readonly code: { readonly codeHash: Buffer; readonly expiresAt: Date; readonly subject: string };
  readonly now: Date;
  /** of the request, for the audit event */
  readonly interactionId?: string;
}

export interface ApprovalRow {
  completed: boolean;
  client_found: boolean;
  permitted: boolean;
  approved: boolean;
}

/** The values of an approval's statements, besides the session. */
export type ApprovalValues = Omit<Decision, 'key' | 'client' | 'code'> & {
  readonly actor: string;
  readonly codeHash: Buffer;
  readonly codeExpiresAt: Date;
  readonly subject: string;
  readonly fapiProfile: string;
  readonly responseTypes: readonly string[];
  readonly responseAlg: string | undefined;
};

export function approvalValues(
  { key, client, code, ...decision }: Decision,
  actor: string,
): SessionKey & ApprovalValues {
  const { codeHash, expiresAt: codeExpiresAt, subject } = code;
  const { fapiProfile, responseTypes, authorizationSignedResponseAlg: responseAlg } = client;
  return {
    interactionId: undefined,
    ...key,
    ...decision,
    actor,
    codeHash,
    codeExpiresAt,
    subject,
    fapiProfile,
    responseTypes,
    responseAlg,
  };
}

export function toApproval({ rows }: { readonly rows: readonly ApprovalRow[] }): Approval {
  if (rows[0]?.approved) return 'Approved';
  if (!rows[0]?.completed) return 'NotOpen';
  if (!rows[0].client_found) return 'ClientChanged';
  return rows[0].permitted ? 'ConsentChanged' : 'ProfileChanged';
}

/** A step, and its session. */
export type OfSession<Step> = Step & { readonly key: SessionKey };

export interface ChallengeStep {
  readonly challenge: SessionChallenge;
  readonly started: number;
  readonly now: Date;
}

/** A PSU whose password was right. */
export interface SignedIn {
  readonly newSessionHash: Buffer;
  readonly psuId: string;
  readonly psuName: string;
  readonly now: Date;
}

/** A verified request, and the consent that it is about. */
export interface SessionBeginning {
  readonly clientId: string;
  readonly consentId?: string;
  readonly request: PendingAuthorizationRequest;
  /** the hash of the reference of a pushed request (`hashToken`) */
  readonly requestUriHash?: Buffer;
  /** kind of consent that the scope is for; null for none */
  readonly kind: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** How a session ends without a code. */
export interface SessionEnd {
  /**
   * whether the PSU declined or cannot authorise: the consent becomes Rejected if it still waits, but not before
   * sign-in
   */
  readonly rejectConsent: boolean;
  /** how it ended, for the page that the PSU comes back to */
  readonly ending: string;
  /** why, if the PSU says so */
  readonly reason?: DeclineReason | undefined;
  /** the report to the bank, stored with the end if the PSU has signed in */
  readonly notice?: DeclineNotice | undefined;
  readonly now: Date;
  /** of the request, for the audit event */
  readonly interactionId?: string;
  readonly actor: string;
}
