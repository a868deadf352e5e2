import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { hashEvent } from './hash-event.js';

const event = {
  eventId: 'e-1',
  occurredAt: '2026-07-01T10:00:00.000001Z',
  actor: 'olivia',
  action: 'client.suspended',
  clientId: 'c-1',
  interactionId: 'i-1',
  details: { reason: 'fraud', nested: { b: 1, a: ['x', 'y'] } },
};

describe('the hash of an audit event', () => {
  it('is SHA-256 of its values, with the members of its details in order: seals made long ago hold', () => {
    const text =
      '["e-1","2026-07-01T10:00:00.000001Z","olivia","client.suspended","c-1","i-1",' +
      '[["nested",[["a",["x","y"]],["b",1]]],["reason","fraud"]]]';
    expect(hashEvent(event)).toEqual(createHash('sha256').update(text).digest());
    const { reason, nested } = event.details;
    const reordered = { ...event, details: { nested: { a: nested.a, b: nested.b }, reason } };
    expect(hashEvent(reordered)).toEqual(hashEvent(event));
  });

  it.each([
    { eventId: 'e-2' },
    { occurredAt: '2026-07-01T10:00:00.000002Z' },
    { actor: 'oscar' },
    { action: 'client.reactivated' },
    { clientId: null },
    { interactionId: null },
    { details: { cause: 'fraud', nested: event.details.nested } },
    { details: { ...event.details, nested: { b: 1, a: ['y', 'x'] } } },
    { details: { ...event.details, nested: { b: '1', a: ['x', 'y'] } } },
  ])('is another one with %j', (change) => {
    expect(hashEvent({ ...event, ...change })).not.toEqual(hashEvent(event));
  });
});
