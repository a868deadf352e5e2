import type { WrittenEntry } from './error-entry.js';
import { sections } from './standard-sections.js';

const { rfc6749Token, rfc6749Redirect, rfc6750, rfc7591, oidcErrors, obRegistration } = sections;
const registration = ['registration'] as const;

/**
 * Error codes of OAuth 2.0, OpenID Connect and client registration that this service answers with, as `error`. The type
 * of the codes is made from these keys, so no other code can be used. The status is 400 and the area authorisation,
 * unless an entry says otherwise.
 */
export const oauthErrors = {
  invalid_request: {
    statuses: [400, 413],
    meaning: 'A parameter is missing, repeated, malformed, or contradicts another one.',
    causes: [
      'error_description names the parameter.',
      'The body of a token request must be application/x-www-form-urlencoded in UTF-8.',
      'A parameter was sent twice, or the client authenticated in two ways at once.',
    ],
    remedies: ['Send every parameter once, and authenticate only with the registered method.'],
    sections: [rfc6749Token, rfc6749Redirect],
  },
  invalid_client: {
    statuses: [401],
    meaning: 'The client could not be authenticated.',
    causes: [
      'The connection has no client certificate, or its certificate was not issued by an accepted CA, has expired, ' +
        'was revoked, or belongs to other software.',
      'The client is unknown or suspended, or does not use its registered authentication method.',
      'The client assertion has a wrong iss, sub, aud or alg, has expired, was used before, or was signed with a ' +
        'key that is not in the key set of the software.',
      'The client secret is wrong.',
    ],
    remedies: [
      'The answer does not say which cause applies, so that nobody learns half of a credential. The bank can find ' +
        'it by the x-fapi-interaction-id of the answer.',
      'Check token_endpoint_auth_method of the registration, the clock (exp and iat), aud (the issuer is always ' +
        'accepted) and that jti is new.',
    ],
    sections: [rfc6749Token, sections.rfc7523, sections.rfc8705],
  },
  invalid_grant: {
    meaning: 'The authorization code or the refresh token is not valid for this request.',
    causes: [
      'It is unknown, has expired, was used before, or was issued to another client.',
      'redirect_uri differs from the authorization request, or code_verifier does not match.',
    ],
    remedies: [
      'Exchange a code immediately, and only once. Send exactly the redirect_uri of the authorization request.',
      'Send the customer through the authorisation again.',
    ],
    sections: [rfc6749Token],
  },
  unauthorized_client: {
    meaning: 'The client is not registered for this grant.',
    causes: ['grant_type is not among grant_types of the registration.'],
    remedies: ['Update the registration to include the grant.'],
    sections: [rfc6749Token, rfc6749Redirect],
  },
  unsupported_grant_type: {
    meaning: 'The token endpoint does not know this grant.',
    causes: ['grant_type is none of authorization_code, client_credentials and refresh_token.'],
    remedies: ['Use a grant that discovery lists in grant_types_supported.'],
    sections: [rfc6749Token],
  },
  invalid_scope: {
    meaning: 'The scope is malformed, unknown, or more than the client registered.',
    causes: [
      'scope contains a value other than openid, accounts, payments and fundsconfirmations, or one that the client ' +
        'has not registered.',
    ],
    remedies: ['Request registered scopes, separated by single spaces.'],
    sections: [rfc6749Token, rfc6749Redirect],
  },
  access_denied: {
    statuses: [403],
    areas: ['authorisation', 'registration'],
    meaning: 'The customer or the bank refused.',
    causes: [
      'In a redirect: the customer declined, may not approve this consent, or cannot reach the requested level of ' +
        'authentication.',
      'In registration: the credentials are valid, but do not permit this operation.',
    ],
    remedies: ['Do not retry automatically. Let the customer decide whether to start again.'],
    sections: [rfc6749Redirect],
  },
  unsupported_response_type: {
    meaning: 'The client did not register this response type.',
    causes: ['response_type is not in the registration; this service supports code and code id_token.'],
    remedies: ['Use a registered response type.'],
    sections: [rfc6749Redirect],
  },
  invalid_request_object: {
    meaning: 'Something is wrong with the request object itself.',
    causes: [
      'It is not a JWS, its signature does not verify, or its alg is not the one that the client registered.',
      'iss, aud, exp, nbf, nonce or another claim is missing or wrong. exp may be at most 60 minutes after nbf.',
    ],
    remedies: ['error_description names the claim. aud is the issuer, iss is the client id.'],
    sections: [oidcErrors, sections.fapi],
  },
  request_uri_not_supported: {
    meaning: 'The service does not fetch request objects from an address.',
    causes: ['The authorization request has a request_uri that does not belong to a pushed request.'],
    remedies: [
      'Push the request object to the pushed authorization request endpoint, or send the object itself in request.',
    ],
    sections: [oidcErrors],
  },
  invalid_request_uri: {
    meaning: 'The reference of a pushed request is not valid, or no longer valid.',
    causes: [
      'It was already used at the authorization endpoint, or it expired (expires_in).',
      'Another client pushed the request.',
    ],
    remedies: ['Push the request again, and send the customer to the bank with the new request_uri immediately.'],
    sections: [oidcErrors, sections.rfc9126],
  },
  login_required: {
    meaning: 'The customer has to sign in.',
    causes: ['The request has prompt=none, but customers sign in for every request.'],
    remedies: ['Omit prompt from the request.'],
    sections: [oidcErrors],
  },
  invalid_token: {
    statuses: [401],
    meaning: 'The access token is not valid here.',
    causes: [
      'It is unknown, has expired or was revoked.',
      'It is bound to a client certificate other than the one on this connection.',
    ],
    remedies: ['Request a new token with the certificate with which you will use it.'],
    sections: [rfc6750, sections.rfc8705],
  },
  insufficient_scope: {
    statuses: [403],
    meaning: 'The access token does not allow this operation.',
    causes: ['Only a token that a customer approved with the scope openid identifies the customer.'],
    remedies: ['Use a token from a code exchange whose request had the scope openid.'],
    sections: [rfc6750],
  },
  server_error: {
    statuses: [500],
    areas: ['authorisation', 'registration'],
    meaning: 'The service failed; the request is not the cause.',
    causes: ['The log of the service has the details under the x-fapi-interaction-id of the answer.'],
    remedies: [
      'Try again with a new code, assertion or request object. If it happens again, give the bank the ' +
        'x-fapi-interaction-id.',
    ],
    sections: [rfc6749Redirect],
  },
  temporarily_unavailable: {
    statuses: [500, 503],
    areas: ['authorisation', 'registration'],
    meaning: 'A system on which the service depends does not answer.',
    causes: ['The bank, the directory or a key set is currently unreachable.'],
    remedies: ['Try again in a few minutes.'],
    sections: [rfc6749Redirect],
  },
  invalid_redirect_uri: {
    areas: registration,
    meaning: 'A redirect URI cannot be registered.',
    causes: [
      'It does not exactly match one of software_redirect_uris in the software statement.',
      'It is not https, has a fragment, a wildcard or user information, or points to the local machine.',
    ],
    remedies: ['Register a URI of the software statement, or have a new statement issued.'],
    sections: [rfc7591, obRegistration],
  },
  invalid_client_metadata: {
    areas: registration,
    meaning: 'A claim of the registration request is missing or has a wrong value.',
    causes: ['Errors lists every invalid claim with the rule that it breaks.'],
    remedies: ['Correct the claims listed in Errors.'],
    sections: [rfc7591, obRegistration],
  },
  invalid_software_statement: {
    areas: registration,
    meaning: 'The software statement is invalid.',
    causes: [
      'The directory did not sign it, one of its claims is missing or wrong, or it is too old.',
      'The client certificate was not issued to the software or the organisation of the statement.',
    ],
    remedies: ['Fetch a new software statement from the directory, and use the certificate of the same software.'],
    sections: [rfc7591, obRegistration],
  },
  unapproved_software_statement: {
    areas: registration,
    meaning: 'The software statement is genuine, but this service does not accept it.',
    causes: [
      'The software or its organisation is inactive, belongs to another environment, or has no role that this ' +
        'service serves.',
    ],
    remedies: ['Check the status, environment and roles of the software in the directory.'],
    sections: [rfc7591, obRegistration],
  },
} as const satisfies Record<string, WrittenEntry<'statuses' | 'areas'>>;
