import { createHash } from 'node:crypto';

/** @returns a hash that shows whether a request with a known idempotency key is a repetition */
export function requestHash(request: object): Buffer {
  return createHash('sha256').update(canonical(request)).digest();
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
