import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { nameCharacter } from '#libs/obie-rules';
import { fieldInvalid } from '#libs/error-catalogue';
import { accepted, missing, refused, type Checked } from '../checked.js';
import type { RegistrationFault } from '../registration.errors.js';
import type { RegistrationContext } from './registration-context.js';

const maxCount = 100;
const maxLength = 256;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addSubnet('0.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
loopback.addAddress('::', 'ipv6');

/**
 * `redirect_uris`: some of those in the software statement, compared exactly (RFC 7591 s2). Without the claim the
 * usable ones of the software statement; real statements hold `https://localhost` too.
 */
export function verifyRedirectUris({
  claims,
  software,
  loopbackRedirectUris: allowed = [],
}: RegistrationContext): Checked<string[]> {
  const claim = claims.get('redirect_uris');
  if (claim === undefined || (Array.isArray(claim) && claim.length === 0)) {
    return usableOf(software.redirectUris, allowed);
  }
  if (!Array.isArray(claim) || claim.length > maxCount) {
    return refused('redirect_uris', `must be an array of up to ${maxCount} URIs`, 'invalid_redirect_uri');
  }
  const faults = claim.flatMap((uri: unknown, index) => {
    const rule =
      brokenRule(uri, allowed) ?? (software.redirectUris.some((known) => known === uri) ? undefined : unlisted);
    return rule === undefined ? [] : [fault(index, rule)];
  });
  return faults.length > 0 ? { faults } : accepted([...new Set<string>(claim)]);
}

const unlisted = 'must be one of the software_redirect_uris of the software statement';

function usableOf(uris: readonly string[], allowed: readonly string[]): Checked<string[]> {
  const usable = [...new Set(uris)].filter((uri) => brokenRule(uri, allowed) === undefined).slice(0, maxCount);
  return usable.length > 0 ? accepted(usable) : missing('redirect_uris', 'invalid_redirect_uri');
}

function fault(index: number, rule: string): RegistrationFault {
  return { error: 'invalid_redirect_uri', ...fieldInvalid(`redirect_uris[${index}]`, rule) };
}

/** @returns the rule that the URI breaks, if any */
function brokenRule(uri: unknown, allowed: readonly string[]): string | undefined {
  // RFC 8252 s7.3: what never leaves the machine may be plain HTTP. The configuration lists them exactly.
  if (allowed.some((each) => each === uri)) return undefined;
  if (typeof uri !== 'string' || uri.length === 0 || uri.length > maxLength) {
    return `must be a URI of 1 to ${maxLength} characters`;
  }
  const [character] = /[^\x21-\x7e]/u.exec(uri) ?? [];
  if (character !== undefined) return `must not contain ${nameCharacter(character)}`;
  if (!uri.startsWith('https://') || uri.includes('\\') || !URL.canParse(uri)) return 'must be an https URI';
  if (uri.includes('#')) return 'must not have a fragment';
  if (uri.includes('*')) return 'must not contain a wildcard';
  const authority = uri.slice('https://'.length).split(/[/?]/, 1)[0] ?? '';
  // A browser skips further slashes, so that the path would become the host (RFC 9110 s4.2.2: an https URI has one).
  if (authority === '') return 'must name a host';
  if (authority.includes('@')) return 'must not contain user information';
  return isLoopbackHost(new URL(uri).hostname) ? 'must not point to the local machine' : undefined;
}

function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIPv4(host)) return loopback.check(host, 'ipv4');
  if (isIPv6(host)) return loopback.check(host, 'ipv6');
  return host === 'localhost' || host.endsWith('.localhost');
}
