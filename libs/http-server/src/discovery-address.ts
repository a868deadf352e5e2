import type { Config } from '#libs/config';

/** @returns the address of the discovery document (OpenID Connect Discovery 1.0 s4) */
export function discoveryAddress({ issuer }: Pick<Config, 'issuer'>): string {
  return `${issuer}/.well-known/openid-configuration`;
}
