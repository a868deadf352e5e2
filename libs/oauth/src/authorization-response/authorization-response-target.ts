/** Where an authorization response goes: a registered redirect URI, the part of it that carries the answer, and the state to play back. */
export interface AuthorizationResponseTarget {
  redirectUri: string;
  responseMode: ResponseMode;
  state?: string;
}

/** OAuth 2.0 Multiple Response Types s2.1. `form_post` and the JWT modes are not offered. */
export type ResponseMode = 'query' | 'fragment';
