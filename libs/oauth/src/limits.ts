// Longest accepted values in characters. They exceed everything that clients send in practice and bound the work per
// request.

/** Identifiers issued here are far shorter; the column holds this many. */
export const CLIENT_ID_MAX_LENGTH = 128;
export const CLIENT_SECRET_MAX_LENGTH = 256;
export const RESPONSE_TYPE_MAX_LENGTH = 128;
export const STATE_MAX_LENGTH = 2048;
export const NONCE_MAX_LENGTH = 1024;
export const SCOPE_MAX_LENGTH = 1024;
export const REDIRECT_URI_MAX_LENGTH = 2048;
export const INTENT_ID_MAX_LENGTH = 128;
export const CODE_MAX_LENGTH = 512;
/** Access and refresh tokens. */
export const TOKEN_MAX_LENGTH = 512;
/** RFC 7636 s4.1. */
export const CODE_VERIFIER_MAX_LENGTH = 128;
export const JTI_MAX_LENGTH = 255;
export const CLIENT_ASSERTION_MAX_LENGTH = 8192;
/** Those issued here have about a thousand. */
export const ID_TOKEN_HINT_MAX_LENGTH = 8192;
export const REQUEST_OBJECT_MAX_LENGTH = 65_536;
/** A whole token request body. */
export const TOKEN_REQUEST_MAX_LENGTH = 32_768;
/** A whole pushed authorization request: a request object of full size and the client's authentication. */
export const PUSHED_REQUEST_MAX_LENGTH = 81_920;
/** A whole authorization request query: a request object of full size and what clients repeat beside it. */
export const AUTHORIZATION_QUERY_MAX_LENGTH = 98_304;
/** Parameters in one form or query, known or not, unless the form says otherwise. */
export const PARAMETERS_MAX_COUNT = 64;

/** The same limits for the description of the endpoints. */
export const oauthLimits = {
  clientId: CLIENT_ID_MAX_LENGTH,
  clientSecret: CLIENT_SECRET_MAX_LENGTH,
  clientAssertion: CLIENT_ASSERTION_MAX_LENGTH,
  code: CODE_MAX_LENGTH,
  codeVerifier: CODE_VERIFIER_MAX_LENGTH,
  idTokenHint: ID_TOKEN_HINT_MAX_LENGTH,
  nonce: NONCE_MAX_LENGTH,
  redirectUri: REDIRECT_URI_MAX_LENGTH,
  requestObject: REQUEST_OBJECT_MAX_LENGTH,
  scope: SCOPE_MAX_LENGTH,
  state: STATE_MAX_LENGTH,
  token: TOKEN_MAX_LENGTH,
} as const;
