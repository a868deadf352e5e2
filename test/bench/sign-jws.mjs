import { constants, sign } from 'node:crypto';
import { promisify } from 'node:util';

const signOnThreadPool = promisify(sign);
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs bytes with PS256 (RFC 7518 s3.5). */
export async function signPs256(bytes, privateKey) {
  const parameters = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  return (await signOnThreadPool('sha256', bytes, parameters)).toString('base64url');
}

/** @returns a compact JWS with PS256 */
export async function createCompactJws({ header, claims, key }) {
  const signingInput = `${encode({ alg: 'PS256', kid: key.kid, ...header })}.${encode(claims)}`;
  return `${signingInput}.${await signPs256(Buffer.from(signingInput), key.privateKey)}`;
}
