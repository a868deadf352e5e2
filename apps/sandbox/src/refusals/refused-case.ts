import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { Config } from '#libs/config';
import type { SoftwareRegistry } from '../trust/software-registry.js';

/** Where explanations look up facts. */
export interface Knowledge {
  config: Config;
  /** of the service's own database */
  pool: Pool;
  registry: SoftwareRegistry;
}

/** A refused request with everything known about it. */
export interface RefusedCase extends Knowledge {
  request: FastifyRequest;
  error: unknown;
  now: Date;
}

/** The bytes of the body. */
export function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** @returns the kids of the signing keys that are published for a piece of software, with their public keys */
export async function publishedKeys(
  registry: SoftwareRegistry,
  { orgId, softwareId }: { orgId: string; softwareId: string },
): Promise<{ kid: string; jwk: import('node:crypto').JsonWebKey }[]> {
  const software = await registry.find(orgId, softwareId);
  return (software?.keys ?? []).filter(({ use }) => use === 'sig').map((jwk) => ({ kid: jwk.kid, jwk }));
}

/** A JWT taken apart; nothing is verified. */
export interface DecodedJwt {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

/** @returns header and claims; empty if they cannot be read */
export function decodeJwt(text: string | undefined): DecodedJwt {
  const [header = '', claims = ''] = (text ?? '').split('.');
  return { header: decodePart(header), claims: decodePart(claims) };
}

function decodePart(part: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    // Not a JWT: there is nothing to show.
    return {};
  }
}

/** @returns a time of a JWT and the service's time, with the difference */
export function timeBeside(value: unknown, now: Date): string {
  if (typeof value !== 'number') return value === undefined ? 'nothing' : JSON.stringify(value);
  const seconds = Math.round(value - now.getTime() / 1_000);
  const side = seconds > 0 ? 'ahead of' : 'behind';
  const when = Math.abs(value) < 8.64e12 ? new Date(value * 1_000).toISOString() : 'no date';
  return `${value} (${when}), ${Math.abs(seconds)} s ${side} the bank’s clock (${now.toISOString()})`;
}
