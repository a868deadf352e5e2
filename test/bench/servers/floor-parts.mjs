// What the floors share: bare node:https and node:crypto.
import { constants, createHash, createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:https';
import { serverTlsOptions } from '../tls.mjs';

/**
 * Listens on a free port.
 * @param answer given the request and its whole body, resolves with `{ status, headers, body }`
 */
export async function listen(pki, name, answer) {
  const server = createServer(serverTlsOptions(pki, name), (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const { status, headers = {}, body = Buffer.alloc(0) } = await answer(request, Buffer.concat(chunks));
      response.writeHead(status, { ...headers, 'content-length': body.length });
      response.end(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port };
}

const certificates = new WeakMap();

/** Thumbprint and subject of the client certificate, read once per connection. */
export function certificateOf(socket) {
  let found = certificates.get(socket);
  if (found === undefined) {
    const { raw, subject } = socket.getPeerX509Certificate();
    found = { subject, thumbprint: createHash('sha256').update(raw).digest('base64url') };
    certificates.set(socket, found);
  }
  return found;
}

/** A public key with the parameters of PS256. */
export const ps256Key = (jwk) => ({
  key: createPublicKey({ key: jwk, format: 'jwk' }),
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: 32,
});

export const ps256PrivateKey = (jwk) => createPrivateKey({ key: jwk, format: 'jwk' });

/** @returns the claims of a compact JWS, undefined unless it was signed with PS256 by the key of that id */
export function openCompactJws(jws, expectedKid, key) {
  const [header, payload, signature] = jws.split('.');
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url'));
  const isSigned =
    alg === 'PS256' &&
    kid === expectedKid &&
    verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
  return isSigned ? JSON.parse(Buffer.from(payload, 'base64url')) : undefined;
}

/** @returns whether a detached JWS with PS256 and `b64: false` is the key's over the body */
export function isSignedBy(detachedJws, expectedKid, key, body) {
  const [header, , signature] = detachedJws.split('.');
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url'));
  const bytes = Buffer.concat([Buffer.from(`${header}.`), body]);
  return alg === 'PS256' && kid === expectedKid && verify('sha256', bytes, key, Buffer.from(signature, 'base64url'));
}
