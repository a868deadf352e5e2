import { createHash } from 'node:crypto';
import type { Signed } from '../tpp-credentials.js';

/** Why each member of a JWT is there (RFC 7519 s4.1, RFC 7523 s3, OIDC Core s6.1, FAPI 1.0 Advanced s5.2.2). */
const claimReasons: Readonly<Record<string, string>> = {
  iss: 'who signs',
  sub: 'whom it is about: the client itself',
  aud: 'whom it is for: the issuer of the discovery document, nobody else',
  iat: 'when it was signed, by our clock',
  nbf: 'not to be used before',
  exp: 'not to be used after; minutes, not hours',
  jti: 'used once: a second use is refused',
  client_id: 'the client, as in the query',
  response_type: 'hybrid flow: code and ID token come back',
  redirect_uri: 'where the customer returns to; must be registered',
  redirect_uris: 'must be among those of the software statement',
  scope: 'what the token will allow',
  state: 'comes back unchanged, and hashed in the ID token (s_hash)',
  nonce: 'comes back in the ID token: ties it to this request',
  claims: 'the consent that the customer is to approve (openbanking_intent_id)',
  software_statement: 'what the directory says about our software, signed by the directory',
  software_id: 'must be that of the statement',
  token_endpoint_auth_method: 'how we prove at the token endpoint who we are',
};

const headerReasons: Readonly<Record<string, string>> = {
  alg: 'PS256 or ES256; RS256 is refused',
  kid: 'the key in our published key set with which to verify',
  typ: 'kind of document',
  b64: 'false: the bytes are signed as they are, not their base64url form (RFC 7797)',
  crit: 'whoever verifies must understand these',
  'http://openbanking.org.uk/iat': 'when it was signed, by our clock',
  'http://openbanking.org.uk/iss': 'organisation id / software id',
  'http://openbanking.org.uk/tan': 'trust anchor: where our keys are published',
};

/** @returns lines that say what is signed, and why each member is in it */
export function explainSigned(signed: Signed): string[] {
  const header = ['  header', ...members(signed.header, headerReasons)];
  if (signed.kind === 'jwt')
    return ['signed (JWT):', ...header, '  claims', ...members(signed.claims, claimReasons), ''];
  const { body } = signed;
  const hash = createHash('sha256').update(body).digest('base64');
  return [
    'signed (detached JWS, x-jws-signature):',
    ...header,
    `  payload: the ${body.length} bytes of the body exactly as they are sent (SHA-256 ${hash}).`,
    '  Send these very bytes: parsing and serialising the JSON again changes them, and the signature no longer ' +
      'verifies.',
    '',
  ];
}

function members(values: Readonly<Record<string, unknown>>, reasons: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => {
    const shown = shorten(typeof value === 'string' ? value : JSON.stringify(value));
    const reason = reasons[name];
    return `    ${name}: ${shown}${reason === undefined ? '' : `   (${reason})`}`;
  });
}

function shorten(value: string): string {
  return value.length > 100 ? `${value.slice(0, 60)}… (${value.length} characters)` : value;
}
