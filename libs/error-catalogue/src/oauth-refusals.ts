import type { RefusalRule } from './refusal.js';

/** What to do if the clocks differ. */
export const setClock =
  'Synchronise the clock of the signing machine (NTP). Sign again for every request, never in advance.';

const assertion = 'RFC 7523 s3, OIDC Core s9';
const requestObject = 'OIDC Core s6.1, FAPI 1.0 Advanced s5.2.2';

/** Rules of connection, tokens, token endpoint and authorization endpoint, by name. */
export const oauthRefusals: Readonly<Record<string, RefusalRule>> = {
  'path.unknown': {
    title: 'There is nothing at this address.',
    section: 'RFC 9110 s15.5.5',
    fix: 'Take addresses from the discovery document and from Links.',
  },
  'path.method': {
    title: 'The address is known, but not with this method.',
    section: 'RFC 9110 s15.5.6 (405, Allow)',
    fix: 'Use one of the methods of the Allow header.',
  },
  'certificate.missing': {
    title: 'The connection shows no client certificate.',
    section: 'FAPI 1.0 Advanced s5.2.2 item 5; RFC 8705 s2',
    fix: 'Configure your HTTP client with the transport certificate and its key (curl: --cert and --key).',
  },
  'certificate.authority': {
    title: 'No authority that this bank trusts issued the client certificate.',
    section: 'RFC 8705 s2.1; RFC 5280 s6.1',
    fix:
      'Use the transport certificate that the directory issued, with its intermediates; not a self-signed one, nor ' +
      'one from another environment.',
  },
  'certificate.expired': {
    title: 'The client certificate is not valid today.',
    section: 'RFC 5280 s4.1.2.5, s6.1.3',
    fix:
      'Have the directory issue a new transport certificate; tokens are bound to the certificate, so get a new ' +
      'token too.',
  },
  'certificate.revoked': {
    title: 'The client certificate was revoked, or cannot be trusted.',
    section: 'RFC 5280 s5; RFC 6960',
    fix: 'Have the directory issue a new transport certificate.',
  },
  'certificate.owner': {
    title: 'The client certificate was issued to another organisation or software.',
    section: 'RFC 8705 s2.1; OBIE certificate profile (organisation and software id in the subject)',
    fix: 'Connect with the transport certificate of the software that registered.',
  },
  'certificate.subject': {
    title: 'The subject of the client certificate is not the registered one.',
    section: 'RFC 8705 s2.1.2 (tls_client_auth_subject_dn)',
    fix: 'Connect with the registered certificate, or update the registration (PUT) with the new subject.',
  },
  token: {
    title: 'The access token is not valid for this request.',
    section: 'RFC 6750 s3.1',
    fix: 'Get a new token with the scope that the request needs, on the connection that uses it.',
  },
  'token.missing': {
    title: 'There is no access token.',
    section: 'RFC 6750 s2.1',
    fix: 'Send "Authorization: Bearer <access token>".',
  },
  'token.malformed': {
    title: 'The Authorization header contains no bearer token.',
    section: 'RFC 6750 s2.1',
    fix: 'Send "Authorization: Bearer <access token>" once, with one space.',
  },
  'token.expired': {
    title: 'The access token has expired.',
    section: 'RFC 6750 s3.1; RFC 6749 s5.1 (expires_in)',
    fix: 'Get a new token, shortly before the old one expires (expires_in).',
  },
  'token.revoked': {
    title: 'The access token was revoked.',
    section: 'RFC 7009 s2; RFC 6749 s4.1.2',
    fix: 'Get a new token. Using a code twice revokes its tokens.',
  },
  'token.unknown': {
    title: 'This bank did not issue the access token.',
    section: 'RFC 6750 s3.1 (invalid_token)',
    fix: 'Use the access_token from this bank’s token endpoint, complete and unchanged.',
  },
  'token.certificate': {
    title: 'The access token is bound to a certificate other than the one on the connection.',
    section: 'RFC 8705 s3',
    fix: 'Use the same transport certificate to request the token and to use it.',
  },
  'token.scope': {
    title: 'The access token was not issued for this scope.',
    section: 'RFC 6750 s3.1 (insufficient_scope)',
    fix: 'Request the scope at the token endpoint; the client must have registered it.',
  },
  'token.consent': {
    title: 'The customer approved another consent with this token.',
    section: 'Read/Write profile 3.1, grants; RFC 6749 s1.4',
    fix: 'Use the token of the approval of this consent.',
  },
  'token.grant': {
    title: 'The operation does not accept tokens of this grant.',
    section: 'Read/Write profile 3.1, grants; RFC 6749 s1.3',
    fix: 'Use a token of the grant that the message names.',
  },
  'client.unknown': {
    title: 'There is no such client at this bank.',
    section: 'RFC 6749 s2.2; OIDC Core s3.1.2.2',
    fix: 'Use the client_id that registration at this bank returned; register again if it was deleted.',
  },
  'client.method': {
    title: 'The client did not use its registered authentication method.',
    section: 'OIDC Core s9; RFC 7591 s2 (token_endpoint_auth_method)',
    fix: 'Use the registered method, or change the registration.',
  },
  'client.secret': {
    title: 'The client secret is wrong.',
    section: 'RFC 6749 s2.3.1',
    fix: 'Use the secret of the registration.',
  },
  'client.credentials': {
    title: 'The client’s credentials are missing, cannot be read, or contradict each other.',
    section: 'RFC 6749 s2.3, s2.3.1; RFC 7521 s4.2',
    fix: 'Authenticate once, with the registered method.',
  },
  'client.incomplete': {
    title: 'The registration lacks what its authentication method needs.',
    section: 'RFC 7591 s2; OIDC Core s9',
    fix: 'Change the registration (PUT), or register again.',
  },
  'client-assertion': {
    title: 'The client assertion is invalid.',
    section: assertion,
    fix: 'Compare with what "npm run tpp -- token --explain" shows.',
  },
  'client-assertion.alg': {
    title: 'The client assertion is not signed with the registered algorithm.',
    section: 'FAPI 1.0 Advanced s8.6; RFC 7591 s2 (token_endpoint_auth_signing_alg)',
    fix: 'Sign with the registered algorithm: PS256 with an RSA key, ES256 with an EC key. RS256 is never accepted.',
  },
  'client-assertion.kid': {
    title: 'No key with this kid is in the published key set of the software.',
    section: 'RFC 7515 s4.1.4; OIDC Core s10.1',
    fix: 'Use the kid under which the directory publishes your signing key (use sig), or publish the key first.',
  },
  'client-assertion.signature': {
    title: 'The signature of the client assertion does not verify with the published key.',
    section: 'RFC 7523 s3 item 9; RFC 7515 s5.2',
    fix: 'Sign with the private key whose public key has this kid.',
  },
  'client-assertion.aud': {
    title: 'The client assertion is not for this bank.',
    section: 'RFC 7523 s3 item 3; FAPI 1.0 Advanced s5.2.2',
    fix: 'Set aud to the issuer of the discovery document, character for character.',
  },
  'client-assertion.exp': {
    title: 'The client assertion has expired, or is valid for too long.',
    section: 'RFC 7523 s3 item 4',
    fix: setClock,
  },
  'client-assertion.iat': {
    title: 'The client assertion was signed in the future, or too long ago.',
    section: 'RFC 7523 s3 item 6',
    fix: setClock,
  },
  'client-assertion.nbf': {
    title: 'The client assertion is not valid yet.',
    section: 'RFC 7523 s3 item 5',
    fix: setClock,
  },
  'client-assertion.jti': {
    title: 'The client assertion has no usable jti.',
    section: 'OIDC Core s9 (jti required)',
    fix: 'Set jti to a new UUID for every request.',
  },
  'client-assertion.jti-reused': {
    title: 'The client assertion was used before.',
    section: 'RFC 7523 s3 item 7; OIDC Core s9',
    fix: 'Sign a new assertion with a new jti for every request, including repeated ones.',
  },
  'client-assertion.iss': {
    title: 'iss of the client assertion is not the client.',
    section: 'RFC 7523 s3 item 1',
    fix: 'Set iss and sub to the client_id.',
  },
  'client-assertion.sub': {
    title: 'sub of the client assertion is not the client.',
    section: 'RFC 7523 s3 item 2',
    fix: 'Set iss and sub to the client_id.',
  },
  scope: {
    title: 'The client did not register this scope.',
    section: 'RFC 6749 s3.3; RFC 7591 s2 (scope)',
    fix: 'Request only registered scopes, separated by spaces.',
  },
  'grant.code': {
    title: 'The authorization code is not valid.',
    section: 'RFC 6749 s4.1.2, s5.2 (invalid_grant)',
    fix:
      'Exchange the code once and immediately, as the client to which it was issued. If that fails, send the ' +
      'customer again.',
  },
  'grant.redirect_uri': {
    title: 'redirect_uri differs from the one in the authorization request.',
    section: 'RFC 6749 s4.1.3',
    fix: 'Repeat the redirect_uri of the authorization request, character for character.',
  },
  'grant.code_verifier': {
    title: 'code_verifier does not match the code_challenge of the authorization request.',
    section: 'RFC 7636 s4.6; RFC 9700 s4.8.2',
    fix: 'Send the code_verifier whose SHA-256 is the code_challenge, and none if there was no challenge.',
  },
  'grant.refresh_token': {
    title: 'The refresh token is not valid.',
    section: 'RFC 6749 s6, s5.2 (invalid_grant); RFC 9700 s4.14.2',
    fix:
      'Use the newest refresh token, with the client and certificate to which it was issued; otherwise ask the ' +
      'customer again.',
  },
  'grant.customer': {
    title: 'The bank has locked or closed the customer.',
    section: 'RFC 6749 s5.2 (invalid_grant)',
    fix:
      'In the sandbox: npm run sandbox -- customer USERNAME active. ' +
      'The approvals of a closed customer end for good.',
  },
  'grant.type': {
    title: 'The grant type is unknown, or not registered.',
    section: 'RFC 6749 s5.2',
    fix: 'Use a registered grant_type.',
  },
  request: {
    title: 'A parameter of the request is missing, repeated or malformed.',
    section: 'RFC 6749 s3.1, s4.1.2.1, s5.2',
    fix: 'Send each parameter once, form encoded.',
  },
  'request.pushed': {
    title: 'This client must push its authorization requests.',
    section: 'RFC 9126 s5, s6 (require_pushed_authorization_requests); FAPI 2.0 Security Profile s5.3.2.2',
    fix: 'Send the parameters to pushed_authorization_request_endpoint, and here only client_id and request_uri.',
  },
  'request.signed': {
    title: 'The request has no signed request object.',
    section: 'FAPI 1.0 Advanced s5.2.2 item 1; FAPI 2.0 Message Signing s5.3.1',
    fix: 'Put the parameters in a signed request object (request).',
  },
  'request.uri': {
    title: 'The request_uri does not belong to a pushed request that can still be used.',
    section: 'RFC 9126 s4; OIDC Core s3.1.2.6',
    fix: 'Push the request again. A request_uri works once, for its own client, until it expires (expires_in).',
  },
  'authorization.response_type': {
    title: 'The client did not register this response_type.',
    section: 'RFC 6749 s3.1.1; RFC 7591 s2 (response_types)',
    fix: 'Use a registered response_type, or register it.',
  },
  'authorization.response_mode': {
    title: 'The bank does not support this response_mode, or not with this response_type.',
    section: 'OAuth 2.0 Multiple Response Types s5; JARM s2.3',
    fix: 'Use one of response_modes_supported, but not query with code id_token.',
  },
  'authorization.unprotected-code': {
    title:
      'response_type code needs a JWT response mode, or PKCE unless you registered or the bank demands such a mode.',
    section: 'FAPI 1.0 Advanced s5.2.2 item 2',
    fix: 'Send response_mode jwt, or code_challenge with S256; or use code id_token.',
  },
  'authorization.pkce': {
    title: 'The code challenge is missing or malformed.',
    section: 'RFC 7636 s4.2, s4.3; FAPI 1.0 Advanced s5.2.2 item 18; FAPI 2.0 Security Profile s5.3.2.2',
    fix: 'code_challenge is the SHA-256 of the verifier, base64url; code_challenge_method is S256.',
  },
  'authorization.acr': {
    title: 'This bank does not support the essential acr.',
    section: 'OIDC Core s5.5.1.1; Open Banking security profile (acr)',
    fix: 'Request one of acr_values_supported, or do not mark acr as essential.',
  },
  'authorization.login': {
    title: 'The customer has to sign in, or another customer signed in.',
    section: 'OIDC Core s3.1.2.1, s3.1.2.6 (login_required)',
    fix: 'Omit prompt=none. As id_token_hint, send an ID token of the customer who is present, or none.',
  },
  'authorization.denied': {
    title: 'The customer or the bank refused.',
    section: 'RFC 6749 s4.1.2.1 (access_denied)',
    fix: 'Nothing is wrong with the request. Ask the customer whether to try again.',
  },
  'authorization.redirect_uri': {
    title: 'The redirect_uri is not registered.',
    section: 'RFC 6749 s3.1.2.3; OIDC Core s3.1.2.1',
    fix:
      'Use one of the registered redirect_uris, character for character, or register it: it must be in the software ' +
      'statement first.',
  },
  'request-object': {
    title: 'The request object is invalid.',
    section: requestObject,
    fix: 'Compare with what "npm run tpp -- authorise --explain" shows.',
  },
  'request-object.client_id': {
    title: 'client_id of the request object is not that of the query.',
    section: 'OIDC Core s6.1; RFC 9101 s6.3',
    fix: 'Put the same client_id in the query and the request object.',
  },
  'request-object.iss': {
    title: 'iss of the request object is not the client.',
    section: 'RFC 9101 s4; OIDC Core s6.1',
    fix: 'Set iss to the client_id.',
  },
  'request-object.aud': {
    title: 'The request object is not for this bank.',
    section: 'OIDC Core s6.1; FAPI 1.0 Advanced s5.2.2 item 15',
    fix: 'Set aud to the issuer of the discovery document, character for character.',
  },
  'request-object.exp': {
    title: 'The request object has expired, has no exp, or is valid for too long.',
    section: 'FAPI 1.0 Advanced s5.2.2 items 13, 17',
    fix: `exp at most 60 minutes after nbf. ${setClock}`,
  },
  'request-object.nbf': {
    title: 'nbf of the request object is missing, in the future, or too far in the past.',
    section: 'FAPI 1.0 Advanced s5.2.2 items 16, 17',
    fix: `nbf is the time of signing. ${setClock}`,
  },
  'request-object.nonce': {
    title: 'The request object has no nonce.',
    section: 'FAPI 1.0 Baseline s5.2.2.2; OIDC Core s3.3.2.11',
    fix: 'Put a new random nonce in the request object; the service ignores one in the query.',
  },
  'request-object.alg': {
    title: 'The request object is not signed with the registered algorithm.',
    section: 'FAPI 1.0 Advanced s8.6; RFC 7591 s2 (request_object_signing_alg)',
    fix: 'Sign with the registered algorithm: PS256 or ES256. RS256 is never accepted.',
  },
  'request-object.kid': {
    title: 'No key with this kid is in the published key set of the software.',
    section: 'RFC 7515 s4.1.4; OIDC Core s10.1',
    fix: 'Use the kid under which the directory publishes your signing key.',
  },
  'request-object.signature': {
    title: 'The signature of the request object does not verify with the published key.',
    section: 'OIDC Core s6.3.2; RFC 7515 s5.2',
    fix: 'Sign with the private key of the published public key.',
  },
  'request-object.intent': {
    title: 'The request object names no consent that awaits authorisation.',
    section: 'Open Banking security profile, openbanking_intent_id',
    fix:
      'Set claims.id_token.openbanking_intent_id.value to the ConsentId. Stage a new consent if this one was decided ' +
      'already or has expired.',
  },
};
