import { createHash } from 'node:crypto';
import type { TrailEvent } from './trail-entry.js';

/**
 * SHA-256 of an event. The order of the members of `details` does not matter, because PostgreSQL does not keep it.
 * @returns 32 bytes
 */
export function hashEvent(event: TrailEvent): Buffer {
  const { eventId, occurredAt, actor, action, clientId, interactionId, details } = event;
  const text = JSON.stringify([eventId, occurredAt, actor, action, clientId, interactionId, inOrder(details)]);
  // @cryptography SHA-256 | none | hashes of audit events and of seals, sealed by PS256 with SIGNING_KEYS
  return createHash('sha256').update(text).digest();
}

/** @returns SHA-256 of the events' hashes in their order, base64url */
export function hashOfHashes(hashes: readonly Buffer[]): string {
  return createHash('sha256').update(Buffer.concat(hashes)).digest('base64url');
}

/** @returns SHA-256 of a seal, base64url; the next seal contains it */
export function hashSeal(seal: string): string {
  return createHash('sha256').update(seal).digest('base64url');
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, member]) => [name, inOrder(member)]);
}
