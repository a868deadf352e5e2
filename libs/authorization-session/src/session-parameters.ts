import { accessKindOf } from '#libs/access-consent';
import type { AnsweredClient, SessionKey } from './authorization-session.js';
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

/** @returns the values of $1 to $14 */
export function approvalParameters(decision: Decision, actor: string): unknown[] {
  const { key, now, challengeId, acr, authenticatedAt, client, code, interactionId } = decision;
  const { codeHash, expiresAt, subject } = code;
  return [
    ...keyParameters(key),
    now,
    challengeId,
    acr,
    authenticatedAt,
    codeHash,
    expiresAt,
    subject,
    interactionId ?? null,
    actor,
    client.fapiProfile,
    client.responseTypes,
    client.authorizationSignedResponseAlg ?? null,
  ];
}

export function toApproval({ rows }: { readonly rows: readonly ApprovalRow[] }): Approval {
  if (rows[0]?.approved) return 'Approved';
  if (!rows[0]?.completed) return 'NotOpen';
  if (!rows[0].client_found) return 'ClientChanged';
  return rows[0].permitted ? 'ConsentChanged' : 'ProfileChanged';
}

export function keyParameters({ sessionId, sessionHash }: SessionKey): [string, Buffer] {
  return [sessionId, sessionHash];
}

export interface ChallengeStep {
  readonly key: SessionKey;
  readonly challenge: SessionChallenge;
  readonly started: number;
  readonly now: Date;
}

export function challengeParameters(step: ChallengeStep): unknown[] {
  return [...keyParameters(step.key), step.now, JSON.stringify(step.challenge), step.started];
}

/** A PSU whose password was right. */
export interface SignedIn {
  readonly key: SessionKey;
  readonly newSessionHash: Buffer;
  readonly psuId: string;
  readonly psuName: string;
  readonly now: Date;
}

export function signedInParameters({ key, newSessionHash, psuId, psuName, now }: SignedIn): unknown[] {
  return [...keyParameters(key), now, newSessionHash, psuId, psuName];
}
