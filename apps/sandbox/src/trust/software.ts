import { randomInt } from 'node:crypto';
import { SandboxError } from '../sandbox-error.js';
import { createDirectoryId } from './directory-id.js';
import type { DirectoryJwk } from './json-web-keys.js';
import type { KeyType } from './key-pair.js';

/** A TPP as the sandbox directory knows it: one organisation with one piece of software. */
export interface Software {
  name: string;
  orgId: string;
  /** Reference number of the organisation at the FCA. */
  registrationId: string;
  softwareId: string;
  redirectUris: string[];
  keyType: KeyType;
  /** name of the organisation for which it acts as an agent */
  onBehalfOf?: string | undefined;
  createdAt: string;
  /** the sandbox's own TPP: its redirect URI is on this machine, and others cannot use it */
  isPortal?: boolean;
  /** The signing key and the transport certificate, as they are published. */
  keys: DirectoryJwk[];
}

/** Limits of the software statement (software_client_name, software_redirect_uris). */
const greatestNameLength = 40;
const greatestUriLength = 256;

/**
 * Enrols a TPP of a new organisation.
 * @throws SandboxError when names or redirect URIs are not what a software statement can hold
 */
export function createSoftware(
  options: Pick<Software, 'name' | 'redirectUris' | 'keyType' | 'onBehalfOf'> & { now: Date },
): Software {
  const { name, redirectUris, onBehalfOf } = options;
  verifyName('--name', name);
  if (onBehalfOf !== undefined) verifyName('--on-behalf-of', onBehalfOf);
  if (redirectUris.length === 0) throw new SandboxError('A TPP needs at least one --redirect-uri.');
  redirectUris.forEach((uri) => verifyRedirectUri(uri));
  return newSoftware(options);
}

/** Enrols the TPP of the sandbox portal. */
export function createPortalSoftware(redirectUri: string, now: Date): Software {
  const redirectUris = [redirectUri];
  return { ...newSoftware({ name: 'Supplier Run', redirectUris, keyType: 'rsa', now }), isPortal: true };
}

/** @returns the registered name of the organisation, which is not the name of its software */
export function organisationNameOf({ name }: Pick<Software, 'name'>): string {
  return / (?:Ltd|Limited|plc|LLP)\.?$/i.test(name) ? name : `${name} Ltd`;
}

function newSoftware({ redirectUris, now, ...given }: Parameters<typeof createSoftware>[0]): Software {
  return {
    ...given,
    orgId: createDirectoryId(18),
    registrationId: String(randomInt(100_000, 1_000_000)),
    softwareId: createDirectoryId(22),
    redirectUris: [...new Set(redirectUris)],
    createdAt: now.toISOString(),
    keys: [],
  };
}

function verifyName(option: string, name: string): void {
  // Letters, digits and plain punctuation: the name also stands in the certificates' subject.
  if (name.length > greatestNameLength || !/^[\p{L}\p{N}][\p{L}\p{N} .,&'()-]*$/u.test(name)) {
    throw new SandboxError(
      `${option} must be 1 to ${greatestNameLength} letters, digits, spaces and .,&'()- and begin with a letter or ` +
        'digit.',
    );
  }
}

/** @returns whether an address leads to this machine, so that registration will refuse it */
export function isLocalRedirectUri(uri: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(uri).hostname);
}

/** As the directory: absolute, https, no fragment. Localhost is allowed here, but registration later refuses it. */
function verifyRedirectUri(uri: string): void {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.protocol !== 'https:' || uri.includes('#') || url.username !== '' || uri.length > greatestUriLength) {
    throw new SandboxError(
      `--redirect-uri ${JSON.stringify(uri)} must be an absolute https URI of at most ${greatestUriLength} ` +
        'characters without fragment.',
    );
  }
}
