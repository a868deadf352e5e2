import type { ErrorEntry } from './error-entry.js';
import { sections } from './standard-sections.js';

const { rfc6749Token, rfc6749Redirect, rfc6750, rfc7591, oidcErrors, obRegistration } = sections;
const authorisation = ['authorisation'] as const;
const registration = ['registration'] as const;

/**
 * Error codes of OAuth 2.0, OpenID Connect and client registration that this service answers with, as `error`. A code that
 * is not here cannot be answered: its type is made from these keys.
 */
export const oauthErrors = {
  invalid_request: {
    statuses: [400, 413],
    areas: authorisation,
    meaning: 'A parameter is missing, repeated, malformed, or contradicts another one.',
    causes: [
      'error_description names the parameter.',
      'The body of a token request must be application/x-www-form-urlencoded in UTF-8.',
      'A parameter was sent twice, or the client authenticated in two ways at once.',
    ],
    remedies: ['Send every parameter once, and authenticate in the one way that the client registered.'],
    sections: [rfc6749Token, rfc6749Redirect],
  },
  invalid_client: {
    statuses: [401],
    areas: authorisation,
    meaning: 'The client could not be authenticated.',
    causes: [
      'There is no client certificate on the connection, it was not issued under an accepted authority, has expired or was revoked, or belongs to another software.',
      'The client is unknown or suspended, or authenticates in another way than it registered.',
      'The client assertion has a wrong iss, sub, aud or alg, has expired, was used before, or was signed with a key that is not in the key set of the software.',
      'The client secret is wrong.',
    ],
    remedies: [
      'Which of these it was is not told, so that nobody learns half of a credential. The bank finds it by the x-fapi-interaction-id of the answer.',
      'Check token_endpoint_auth_method of the registration, the clock (exp and iat), aud (the issuer or the token endpoint) and that jti is new.',
    ],
    sections: [rfc6749Token, sections.rfc7523, sections.rfc8705],
  },
  invalid_grant: {
    statuses: [400],
    areas: authorisation,
    meaning: 'The authorization code or the refresh token is not good for this request.',
    causes: [
      'It is unknown, has expired, was used before, or was issued to another client.',
      'redirect_uri is not the one of the authorization request, or code_verifier does not fit.',
    ],
    remedies: [
      'Exchange a code at once, and once. Send redirect_uri letter by letter as in the authorization request.',
      'Send the customer through the authorisation again.',
    ],
    sections: [rfc6749Token],
  },
  unauthorized_client: {
    statuses: [400],
    areas: authorisation,
    meaning: 'The client is not registered for this grant.',
    causes: ['grant_type is not among grant_types of the registration.'],
    remedies: ['Replace the registration with one that names the grant.'],
    sections: [rfc6749Token, rfc6749Redirect],
  },
  unsupported_grant_type: {
    statuses: [400],
    areas: authorisation,
    meaning: 'The token endpoint does not know this grant.',
    causes: ['grant_type is none of authorization_code, client_credentials and refresh_token.'],
    remedies: ['Use a grant that discovery lists in grant_types_supported.'],
    sections: [rfc6749Token],
  },
  invalid_scope: {
    statuses: [400],
    areas: authorisation,
    meaning: 'The scope is malformed, unknown, or more than the client registered.',
    causes: [
      'scope holds a word that is none of openid, accounts, payments and fundsconfirmations, or one that the client has not registered.',
    ],
    remedies: ['Ask for scopes that are in the registration, with single spaces between them.'],
    sections: [rfc6749Token, rfc6749Redirect],
  },
  access_denied: {
    statuses: [403],
    areas: ['authorisation', 'registration'],
    meaning: 'The customer or the bank said no.',
    causes: [
      'In a redirect: the customer declined, may not approve this consent, or the level of authentication that was asked for cannot be reached.',
      'In registration: the credentials are good, but do not permit this operation.',
    ],
    remedies: ['Do not repeat it by yourself. Let the customer decide whether to begin anew.'],
    sections: [rfc6749Redirect],
  },
  unsupported_response_type: {
    statuses: [400],
    areas: authorisation,
    meaning: 'The client did not register this response type.',
    causes: ['response_type is none of those in the registration; this service knows code and code id_token.'],
    remedies: ['Use a response type of the registration.'],
    sections: [rfc6749Redirect],
  },
  invalid_request_object: {
    statuses: [400],
    areas: authorisation,
    meaning: 'Something is wrong with the request object itself.',
    causes: [
      'It is not a JWS, its signature does not verify, or its alg is not the one that the client registered.',
      'iss, aud, exp, nbf, nonce or another claim is missing or wrong. exp may lie at most 60 minutes after nbf.',
    ],
    remedies: ['error_description names the claim. aud is the issuer, iss is the client id.'],
    sections: [oidcErrors, sections.fapi],
  },
  request_uri_not_supported: {
    statuses: [400],
    areas: authorisation,
    meaning: 'Request objects are not fetched from an address.',
    causes: ['The authorization request has a request_uri that is not one of a pushed request.'],
    remedies: ['Push the request object to the pushed authorization request endpoint, or send it itself, in request.'],
    sections: [oidcErrors],
  },
  invalid_request_uri: {
    statuses: [400],
    areas: authorisation,
    meaning: 'The reference of a pushed request does not count, or not any more.',
    causes: [
      'It has been brought to the authorization endpoint before, or later than expires_in says.',
      'Another client pushed the request.',
    ],
    remedies: ['Push the request again, and send the customer with the new request_uri at once.'],
    sections: [oidcErrors, sections.rfc9126],
  },
  login_required: {
    statuses: [400],
    areas: authorisation,
    meaning: 'The customer has to sign in.',
    causes: ['The request has prompt=none, but every payment needs a customer who signs in.'],
    remedies: ['Leave prompt out.'],
    sections: [oidcErrors],
  },
  invalid_token: {
    statuses: [401],
    areas: authorisation,
    meaning: 'The access token is not good here.',
    causes: [
      'It is unknown, has expired or was revoked.',
      'It is bound to another client certificate than the one on this connection.',
    ],
    remedies: ['Request a new token over the certificate with which it will be used.'],
    sections: [rfc6750, sections.rfc8705],
  },
  insufficient_scope: {
    statuses: [403],
    areas: authorisation,
    meaning: 'The access token was not issued for this.',
    causes: ['Only a token that a customer has approved with the scope openid tells who the customer is.'],
    remedies: ['Use the token from a code exchange whose request had the scope openid.'],
    sections: [rfc6750],
  },
  server_error: {
    statuses: [500],
    areas: ['authorisation', 'registration'],
    meaning: 'Something failed here; the request is not to blame.',
    causes: ['What exactly is in the log of the service, under the x-fapi-interaction-id of the answer.'],
    remedies: [
      'Try again with a new code, assertion or request object. If it happens again, tell the bank the x-fapi-interaction-id.',
    ],
    sections: [rfc6749Redirect],
  },
  temporarily_unavailable: {
    statuses: [500, 503],
    areas: ['authorisation', 'registration'],
    meaning: 'Something that the service depends on does not answer.',
    causes: ["The customer's sign-in, the directory or a key set cannot be reached at the moment."],
    remedies: ['Try again in a few minutes.'],
    sections: [rfc6749Redirect],
  },
  invalid_redirect_uri: {
    statuses: [400],
    areas: registration,
    meaning: 'A redirect URI cannot be registered.',
    causes: [
      'It is not letter by letter one of software_redirect_uris of the software statement.',
      'It is not https, has a fragment, a wildcard or user information, or leads to the local machine.',
    ],
    remedies: ['Register a URI of the software statement, or have a new statement issued.'],
    sections: [rfc7591, obRegistration],
  },
  invalid_client_metadata: {
    statuses: [400],
    areas: registration,
    meaning: 'A claim of the registration request is missing or has a wrong value.',
    causes: ['Errors lists every claim at fault, each with the rule that it breaks.'],
    remedies: ['Correct the claims that Errors names.'],
    sections: [rfc7591, obRegistration],
  },
  invalid_software_statement: {
    statuses: [400],
    areas: registration,
    meaning: 'The software statement is not good.',
    causes: [
      'It was not signed by the directory, a claim of it is missing or wrong, or it is too old.',
      'The client certificate was not issued to the software or the organisation of the statement.',
    ],
    remedies: ['Fetch a new software statement from the directory, and use the certificate of the same software.'],
    sections: [rfc7591, obRegistration],
  },
  unapproved_software_statement: {
    statuses: [400],
    areas: registration,
    meaning: 'The software statement is genuine, but this service does not accept it.',
    causes: [
      'The software or its organisation is not active, is of another environment, or has no role that is served here.',
    ],
    remedies: ['Look the software up in the directory: its state, its environment and its roles.'],
    sections: [rfc7591, obRegistration],
  },
} as const satisfies Record<string, ErrorEntry>;
