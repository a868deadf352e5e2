import { isIP } from 'node:net';
import { KeySetError } from './directory.errors.js';
import { isPublicAddress } from './public-address.js';

/** The hosts of one directory, as its entries name them: of its software's key sets, and of its own. */
export function hostsOf({ keyHosts, jwksUri }: { keyHosts: readonly string[]; jwksUri: string }): string[] {
  return [...keyHosts, new URL(jwksUri).host];
}

/** The hosts from which key sets may be fetched. */
export interface KeySetAddressRules {
  /** `host` for port 443, or `host:port`; compared whole, never as patterns (CVE-2023-6544) */
  keyHosts: readonly string[];
  allowPrivateAddresses: boolean;
}

/**
 * Absolute, visible ASCII, no backslash: the URL parser repairs other texts, and other programs read these differently.
 */
const plainAddress = /^[a-z]+:\/\/(?!\/)[\x21-\x5b\x5d-\x7e]+$/i;

/**
 * Verifies that a key set may be fetched from an address, without resolving or connecting.
 * @param uri from a verified software statement, or from the configuration
 * @returns the parsed address
 * @throws KeySetError `address`
 */
export function verifyKeySetAddress(uri: string, { keyHosts, allowPrivateAddresses }: KeySetAddressRules): URL {
  if (uri.length > 2_000 || !plainAddress.test(uri) || !URL.canParse(uri)) throw refused('is not a URL');
  const url = new URL(uri);
  if (url.protocol !== 'https:') throw refused('must use https');
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw refused('must have neither user information nor a fragment');
  }
  // URL drops the default port of https, so both spellings of an entry for port 443 mean the same.
  if (!keyHosts.some((host) => host.toLowerCase().replace(/:443$/, '') === url.host)) {
    throw refused('must be on one of the hosts of the directory');
  }
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !allowPrivateAddresses && !isPublicAddress(literal)) {
    throw refused('must be a public address');
  }
  return url;
}

function refused(rule: string): KeySetError {
  return new KeySetError('address', rule);
}
