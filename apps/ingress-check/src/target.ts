import type { Profile } from './verdict.js';

/** A certificate with its key, PEM; with intermediate certificates after it where there are some. */
export interface Credential {
  readonly certificate: string;
  readonly privateKey: string;
}

/** One listener under attack. */
export interface Target {
  readonly profile: Profile;
  /** name in the public address */
  readonly host: string;
  readonly port: number;
  /** where to connect to, when the name leads elsewhere */
  readonly address: string;
  readonly connectPort: number;
  /** address of the client in the PROXY header that an instance demands of its ingress */
  readonly announced?: string;
}

/** The means of the attacks. */
export interface Attacker {
  readonly targets: readonly Target[];
  /** PEM of the authorities of the servers' certificates; default: the system's */
  readonly ca?: string;
  /** a client certificate that is accepted */
  readonly valid?: Credential;
  readonly expired?: Credential;
  readonly revoked?: Credential;
  /** whether TLS ends at the ingress: then it must itself refuse what it can */
  readonly isTerminating: boolean;
  /** whether the component in front passes on every connection, whatever name its ClientHello has */
  readonly isBlindToNames?: boolean;
  /** instances behind the ingress, attacked directly */
  readonly instances: readonly Target[];
  /** PEM of the authorities of the instances' certificates */
  readonly instanceCa?: string;
  /** the certificate that a terminating ingress presents to the instances */
  readonly hop?: Credential;
  /** an address of this machine other than the ingress's, which instances must not trust; floods come from it */
  readonly otherAddress?: string;
  /** addresses of this machine on one network (IPv6: with the same first 64 bits): passwords come from them in turn */
  readonly networkAddresses?: readonly string[];
  /** where to listen in place of an instance, with an untrusted certificate */
  readonly impostor?: { readonly address: string; readonly port: number };
  /** number of connections or requests above the limit of one address */
  readonly floodCount?: number;
  /** seconds within which a silent connection must be ended, and excess requests refused */
  readonly patienceSeconds?: number;
  /** the attacks to make; all by default */
  readonly only?: readonly AttackGroup[];
}

/** Groups that can be run alone. */
export const attackGroups = [
  'tls',
  'hosts',
  'certificates',
  'headers',
  'sessions',
  'sizes',
  'instances',
  'impostor',
  'silence',
  'forms',
  'flood',
] as const;
export type AttackGroup = (typeof attackGroups)[number];

/** A request of a check. */
export interface Probe {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** For each profile, a request whose answer shows whether a verified certificate came with it. */
export const certificateProbes: Readonly<Record<'token' | 'api', Probe>> = {
  // A parameter twice: 400 invalid_request with a certificate; without one the request is not even looked at, 401.
  token: {
    method: 'POST',
    path: '/oauth2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: 'scope=payments&scope=payments',
  },
  // No JOSE document: 400 with a body; without a certificate 401 before the body is read.
  api: {
    method: 'POST',
    path: '/open-banking/v3.2/register',
    headers: { 'content-type': 'application/jose', accept: 'application/json' },
    body: 'not-a-jose-document',
  },
};

/** An unassigned address (RFC 5737). */
export const announcedAddress = '192.0.2.1';

/** Requests for what everybody may read. */
export const openProbes: Readonly<Record<'authorize' | 'api', Probe>> = {
  authorize: { method: 'GET', path: '/oauth2/jwks', headers: { accept: 'application/json' } },
  api: {
    method: 'GET',
    path: '/open-banking/v3.0/.well-known/openid-configuration',
    headers: { accept: 'application/json' },
  },
};

/** @returns the certificate to show to a listener that asks for one */
export function credentialFor({ profile }: Target, credential: Credential | undefined): Credential | undefined {
  return profile === 'authorize' ? undefined : credential;
}

/** @returns what is asked of a listener to see whether a request gets through at all */
export function anyProbe(profile: Profile): Probe {
  return profile === 'token' ? certificateProbes.token : openProbes[profile];
}
