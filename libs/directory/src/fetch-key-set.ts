import { parseKeySet, type KeySet } from '#libs/jws';
import { KeySetError } from './directory.errors.js';
import { fetchDocument, type DocumentTransport } from './fetch-document.js';

export interface KeySetTransport extends DocumentTransport {
  maxKeys: number;
}

/**
 * Fetches and imports a JWK set (RFC 7517 s5). The address must have passed verifyKeySetAddress.
 * @throws KeySetError `unavailable` for every failure: an external server's answer is not the caller's fault
 */
export async function fetchKeySet(url: URL, transport: KeySetTransport): Promise<KeySet> {
  try {
    const accept = 'application/jwk-set+json, application/json';
    const document = await fetchDocument({ url, accept }, transport);
    return await parseKeySet(JSON.parse(document.toString('utf8')), { maxKeys: transport.maxKeys });
  } catch (cause) {
    throw new KeySetError('unavailable', `The key set at ${url.host} cannot be read.`, { cause });
  }
}
