import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { keyThumbprint, parseSigningKeys } from '#libs/jws';
import { hashEvent, hashOfHashes } from './hash-event.js';
import { createSeal } from './seal.js';
import type { TrailEntry, TrailEvent } from './trail-entry.js';
import { verifyAuditTrail } from './verify-audit-trail.js';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [key] = await parseSigningKeys({
  keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'bank', alg: 'ES256' }],
});
if (key === undefined) throw new Error('There is no key.');
const signingKey = key;
const now = new Date('2026-11-22T10:00:00Z');
const expectations = { trustedKeys: new Set([await keyThumbprint(key.publicKey)]), now };

const anEvent = (actor: string): TrailEvent => ({
  eventId: randomUUID(),
  occurredAt: '2026-11-22T09:00:00.000000Z',
  actor,
  action: 'payment-order.reject',
  clientId: null,
  interactionId: null,
  details: { reason: 'as the bank said' },
});

/** Sealed events as the database gives them: each with the hash beside it. */
function placed(events: readonly TrailEvent[]): TrailEntry[] {
  return events.map((event, index) => ({
    kind: 'event',
    event,
    place: { sealNumber: 1, position: index + 1, hash: hashEvent(event).toString('base64url') },
  }));
}

async function aSeal(events: readonly TrailEvent[]): Promise<TrailEntry> {
  const eventsHash = hashOfHashes(events.map(hashEvent));
  const content = { number: 1, sealedAt: now.toISOString(), count: events.length, eventsHash, previous: null };
  return { kind: 'seal', number: 1, seal: await createSeal(content, signingKey) };
}

async function* inOrder(entries: readonly TrailEntry[]): AsyncGenerator<TrailEntry> {
  yield* entries;
}

describe('what a seal covers', () => {
  const events = [anEvent('olivia'), anEvent('peter'), anEvent('olivia')];

  it('is each of its events in their order', async () => {
    const trail = [await aSeal(events), ...placed(events)];
    expect(await verifyAuditTrail(inOrder(trail), expectations)).toMatchObject({ verdict: 'intact', events: 3 });
  });

  it.each([
    ['another one with its own hash', [0, 'other', 2]],
    ['the same ones in another order', [1, 0, 2]],
    ['one of them twice', [0, 0, 2]],
  ] as const)('is not %s: anybody who can write to the database can hash too', async (_title, order) => {
    const forged = order.map((index) => (index === 'other' ? anEvent('peter') : (events[index] as TrailEvent)));
    const trail = [await aSeal(events), ...placed(forged)];
    expect(await verifyAuditTrail(inOrder(trail), expectations)).toEqual({
      verdict: 'broken',
      place: 'seal 1',
      reason: 'one of its events was replaced',
    });
  });
});
