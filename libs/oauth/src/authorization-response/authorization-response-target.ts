import type { AsymmetricAlgorithm } from '#libs/jws';

/**
 * Where an authorization response goes: a registered redirect URI, the part of it that carries the answer, and the
 * state to play back.
 */
export interface AuthorizationResponseTarget {
  redirectUri: string;
  responseMode: ResponseMode;
  state?: string;
  /** The answer is one JWT (JARM s2.3); absent: its parameters are sent as they are. */
  signed?: SignedResponse;
}

/** Whom the JWT of an answer is for, and how it is signed (JARM s2.1, s2.2). */
export interface SignedResponse {
  clientId: string;
  algorithm: AsymmetricAlgorithm;
}

/** The part of the redirect URI (OAuth 2.0 Multiple Response Types s2.1). `form_post` is not offered. */
export type ResponseMode = 'query' | 'fragment';
