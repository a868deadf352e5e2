import type { AsymmetricAlgorithm } from '#libs/jws';
import type { AuthorizationRequest, FapiProfile, OAuthClient } from '#libs/oauth';
import type { AuthorizationSessionStage } from './authorization-session-stage.js';
import type { CustomerSession } from './customer-session.js';

/**
 * A verified authorization request while the PSU works on it. It stays on the server (CVE-2024-4540: a request in a
 * cookie can be read and replaced). The client's names are as they were when the request was verified.
 */
export interface PendingAuthorizationRequest extends AuthorizationRequest {
  readonly clientName: string;
  readonly orgId: string;
  readonly orgName: string;
  /** number in a public register, if the software statement has one */
  readonly registerNumber?: string;
  /** for whom the client acts as an agent */
  readonly onBehalfOfOrg?: string;
  readonly idTokenSignedResponseAlg: AsymmetricAlgorithm;
  /** whether the client may renew what is approved */
  readonly isLasting: boolean;
  /**
   * the hash of the request object or of its reference, base64url: finds the session of a browser that comes back with
   * the same request
   */
  readonly requestHash: string;
  /** of a request that gets only one answer, in whatever browser */
  readonly once?: OneAnswer;
}

/** What identifies a request that was answered: the `jti` of its object, its reference, or both. */
export interface OneAnswer {
  readonly ids: readonly string[];
  /** ISO 8601: from then on no browser can answer it */
  readonly until: string;
}

/** The client's present registration, as far as the answer to a request depends on it. */
export interface AnsweredClient extends Pick<OAuthClient, 'responseTypes' | 'authorizationSignedResponseAlg'> {
  readonly fapiProfile: FapiProfile;
}

/** One authorization request on its way through the PSU's pages. */
export interface AuthorizationSession extends AnsweredClient, CustomerSession {
  readonly clientId: string;
  /** the intent (openbanking_intent_id); undefined if the scope needs none */
  readonly consentId?: string;
  readonly request: PendingAuthorizationRequest;
  readonly stage: AuthorizationSessionStage;
  /**
   * how it ended: the word given to endSession, or after a yes Approved, ConsentChanged, ProfileChanged or NotPermitted
   */
  readonly ending?: string;
  /** false once the client or its redirect URI has been withdrawn: then the PSU must not be sent there any more */
  readonly isRedirectUriRegistered: boolean;
}
