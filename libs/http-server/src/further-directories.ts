import { parseCertificates } from '#libs/config';

/** A trusted directory: its software statements, keys and certificates. */
export interface TrustedDirectory {
  /** `iss` of its software statements */
  readonly issuer: string;
  /** its own key set */
  readonly jwksUri: string;
  /** `host` or `host:port` of the key sets of its software */
  readonly keyHosts: readonly string[];
  /** PEM of the authority of its servers; default: the system's authorities */
  readonly ca?: string;
  /** accepted values of `software_environment` */
  readonly environments: readonly string[];
  /** one PEM certificate each: the authorities that certify its organisations and software */
  readonly clientTrustAnchors: readonly string[];
}

/** A further directory; it inherits omitted members from the first one. */
export type FurtherDirectory = Pick<TrustedDirectory, 'issuer' | 'jwksUri' | 'keyHosts'> & Partial<TrustedDirectory>;

const members = new Set(['issuer', 'jwks_uri', 'key_hosts', 'ca', 'environments', 'client_trust_anchors']);

/**
 * @param text FURTHER_DIRECTORIES: a JSON array
 * @returns the directories
 * @throws Error for anything else: trust is never guessed
 */
export function parseFurtherDirectories(text: string): FurtherDirectory[] {
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) throw new TypeError('not an array');
  return entries.map(parseDirectory);
}

function parseDirectory(entry: unknown): FurtherDirectory {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw new TypeError('not an object');
  if (!Object.keys(entry).every((name) => members.has(name))) throw new TypeError('an unknown member');
  const { issuer, jwks_uri, key_hosts, ca, environments, client_trust_anchors } = entry as Record<string, unknown>;
  return {
    issuer: parseText(issuer),
    jwksUri: parseHttpsAddress(jwks_uri),
    keyHosts: parseTexts(key_hosts),
    ...(ca === undefined ? {} : { ca: parseCertificates(parseText(ca)).join('') }),
    ...(environments === undefined ? {} : { environments: parseTexts(environments) }),
    ...(client_trust_anchors === undefined
      ? {}
      : { clientTrustAnchors: parseCertificates(parseText(client_trust_anchors)) }),
  };
}

function parseText(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw new TypeError('not a text');
  return value;
}

function parseTexts(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0) throw new TypeError('not an array of texts');
  return value.map(parseText);
}

function parseHttpsAddress(value: unknown): string {
  const text = parseText(value);
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') throw new TypeError('not an https address');
  return text;
}
