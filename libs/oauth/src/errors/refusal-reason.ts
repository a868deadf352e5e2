/**
 * Why a request was refused, for programs: the log contains it, and the sandbox explains it. It is never sent, because
 * it would tell which half of a credential was wrong.
 */
export type RefusalReason =
  // --- who is it?
  | 'client-unknown'
  | 'client-method'
  | 'client-secret'
  /** missing, malformed, or two that contradict each other */
  | 'client-credentials'
  /** the registration lacks what the method needs */
  | 'client-incomplete'
  | 'certificate-missing'
  | 'certificate-owner'
  | 'certificate-subject'
  | 'assertion'
  | 'assertion-lifetime'
  | 'assertion-signature'
  | 'assertion-reused'
  // --- what is asked for?
  | 'request'
  | 'request-not-pushed'
  | 'request-not-signed'
  | 'request-uri'
  | 'request-object'
  | 'request-object-lifetime'
  | 'request-object-signature'
  | 'redirect-uri'
  | 'response-type'
  | 'response-mode'
  | 'unprotected-code'
  | 'pkce'
  | 'scope'
  | 'acr'
  | 'intent'
  | 'login-required'
  | 'denied'
  // --- with which grant or token?
  | 'grant-type'
  | 'code'
  | 'code-reused'
  | 'code-redirect-uri'
  | 'code-verifier'
  | 'refresh-token'
  | 'refresh-token-reused'
  | 'customer-locked'
  | 'customer-closed'
  | 'access-token'
  // --- on our side
  | 'server'
  | 'unavailable';
