import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, type JWK } from 'jose';
import { createDetachedJws, isSignatureOf } from '../read-write/detached-jws.js';
import type { HttpsClient } from '../https-client.js';
import { parseJsonObject } from '../json.js';
import type { Profile } from '../profile/profile.js';
import type { TppCredentials } from '../tpp-credentials.js';
import { ok, problem, type CheckResult } from './check.js';
import { messageOf } from './check-software-statement.js';

const section = 'RFC 7517 s4, s5; OIDC Core s10.1';

/** Checks as a bank does whether the published key set is there, holds our key, and verifies our signatures. */
export async function checkKeys(options: {
  profile: Profile;
  credentials: TppCredentials;
  client: HttpsClient;
}): Promise<CheckResult[]> {
  const { profile, credentials, client } = options;
  const title = 'The published key set can be fetched.';
  const { jwks_uri: url } = profile.tpp;
  let keySet: JSONWebKeySet;
  try {
    const response = await client.send({ method: 'GET', url });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    keySet = parseJsonObject<JSONWebKeySet>(response);
    if (!Array.isArray(keySet.keys)) throw new Error('no array "keys"');
  } catch (error) {
    return [
      problem('keys.reachable', title, {
        section: 'RFC 7517 s5; OIDC Core s10.1',
        expected: `a key set at ${url}`,
        got: messageOf(error),
        fix: 'Publish your keys at the address of the software statement, reachable for the bank.',
      }),
    ];
  }
  return [
    ok('keys.reachable', title, `${url}: ${keySet.keys.length} keys`),
    checkPublished(keySet, credentials),
    await checkSigning(keySet, credentials),
  ];
}

function checkPublished({ keys }: JSONWebKeySet, { signingKid, signingKey }: TppCredentials): CheckResult {
  const title = 'The signing key is published under its kid, for signatures.';
  const published = keys.find(({ kid }) => kid === signingKid);
  const kids = keys.filter(({ use }) => use === 'sig').map(({ kid }) => String(kid));
  const own = keys.find((key) => isSameKey(key, signingKey));
  if (published !== undefined && isSameKey(published, signingKey) && published.use === 'sig') {
    return ok('keys.kid', title, signingKid);
  }
  if (published === undefined && own === undefined) {
    return problem('keys.unpublished', title, {
      section,
      expected: `the public half of the signing key among ${kids.join(', ') || 'the keys'}`,
      got: 'neither the key nor its kid',
      fix: 'Publish the key at the directory, or sign with the key that is published.',
    });
  }
  return problem('keys.kid', title, {
    section,
    expected: `kid ${own?.kid ?? kids.join(' or ')}`,
    got: `kid ${signingKid}${published === undefined ? '' : ', which is published with another key or use'}`,
    fix: 'Use the kid under which this key is published.',
  });
}

function isSameKey(jwk: JWK, privateKey: KeyObject): boolean {
  try {
    const published = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return published.equals(createPublicKey(privateKey));
  } catch {
    // A key of an unknown type is not ours.
    return false;
  }
}

/** Signs bytes with white space that a rewriting would lose, and verifies them as a bank does. */
async function checkSigning(keySet: JSONWebKeySet, credentials: TppCredentials): Promise<CheckResult> {
  const title = 'Our signatures verify over the raw bytes, and only over them.';
  const body = Buffer.from('{ "Data" : { "Amount" : 1.10 } }\n');
  const detachedJws = await createDetachedJws(body, credentials);
  const keys = createLocalJWKSet(keySet);
  const other = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
  const [raw, rewritten] = await Promise.all([body, other].map((bytes) => isSignatureOf(detachedJws, bytes, keys)));
  if (raw && !rewritten) return ok('jws.raw', title, credentials.signingAlgorithm);
  return problem('jws.raw', title, {
    section: 'Read/Write profile 3.1.2, message signing; RFC 7797',
    expected: 'a signature that the published key verifies over the bytes sent',
    got: 'a signature that no published key verifies',
    fix: 'Sign with the private key of the published public key, under its kid.',
  });
}
