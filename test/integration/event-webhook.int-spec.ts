import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Clock, type Config } from '#libs/config';
import { type DomainEvent, EventOutbox, HttpsEventWebhook } from '#libs/events';
import { Database, openPool } from '#libs/persistence';
import type { Telemetry } from '#libs/telemetry';
import { Registry } from 'prom-client';
import { EventOperations } from '../support/apps/operator.js';
import { HousekeepingMetrics } from '../support/apps/worker.js';
import { migratedDatabase } from '../support/run-database.js';
import { aTestSigningKey } from '../support/a-signing-key.js';
import { EventReceiver } from '../support/event-receiver.js';

describe('delivery of events', () => {
  it('does not count waiting for a connection as time of the receiver', async () => {
    const count = 20;
    const receiver = await EventReceiver.start();
    // It answers when all of one batch have arrived.
    receiver.together = count;
    const config = {
      events: { webhook: { url: receiver.url, ca: receiver.ca } },
      signing: { keys: [aTestSigningKey('k')] },
      issuer: 'https://bank',
      baseUrl: 'https://bank',
    } as unknown as Config;
    const webhook = new HttpsEventWebhook(config, new Clock());
    try {
      const events = Array.from({ length: count }, () => anEvent());
      await Promise.all(events.map((event) => webhook.deliver(event)));
      expect(receiver.tokens).toHaveLength(count);
    } finally {
      webhook.onApplicationShutdown();
      await receiver.stop();
    }
  });
});

describe('events in back-off', () => {
  it('are in a metric, with the age of the oldest, and an operator has them delivered now', async () => {
    const runDatabase = await migratedDatabase();
    const settings = { url: runDatabase.url, poolSize: 2, applicationName: 'operator' };
    const database = new Database(openPool(settings), settings);
    try {
      await database.query(
        'test-insert-events',
        `INSERT INTO domain_events (event_id, event_type, resource_type, resource_id, client_id, status, occurred_at, attempts, next_attempt_at,
           api_version)
         SELECT gen_random_uuid(), 'consent.status', 'file-payment-consent', gen_random_uuid(), gen_random_uuid(), 'Authorised',
           now() - age, 3, now() + interval '40 minutes', '4.0' FROM unnest('{1 minute,2 hours}'::interval[]) AS events (age)`,
        [],
      );
      const clock = new Clock();
      const metrics = async (): Promise<string> => {
        const registry = new Registry();
        const config = { events: { webhook: { url: 'https://receiver' } } } as unknown as Config;
        new HousekeepingMetrics({ registry } as unknown as Telemetry, database, clock, config).noteRound();
        return registry.metrics();
      };
      const before = await metrics();
      expect(before).toContain('open_banking_undelivered_events 2');
      expect(before).toMatch(/open_banking_undelivered_events_oldest_seconds 72\d\d/);
      expect(before).toContain('open_banking_queue_depth{queue="domain events"} 0');
      const outbox = new EventOutbox(database, clock);
      const operations = new EventOperations(database, clock, outbox);
      expect(await operations.retry({ actor: 'olivia' })).toEqual({ done: 'retry', events: 2 });
      expect(await metrics()).toContain('open_banking_queue_depth{queue="domain events"} 2');
      expect(await outbox.take(10)).toHaveLength(2);
      const pauses = [];
      for (const attempts of [0, 3, 8, 9, 40]) {
        const makeDue = 'UPDATE domain_events SET attempts = $1, next_attempt_at = now()';
        await database.query('test-make-due', makeDue, [attempts]);
        await outbox.take(10);
        const pauseSql = 'SELECT extract(epoch FROM max(next_attempt_at) - now())::int AS pause FROM domain_events';
        const { rows } = await database.query<{ pause: number }>('test-read-pause', pauseSql, []);
        pauses.push(Math.round((rows[0]?.pause ?? 0) / 10) * 10);
      }
      expect(pauses).toEqual([10, 80, 2_560, 3_600, 3_600]);
    } finally {
      await database.onApplicationShutdown();
      await runDatabase.drop();
    }
  });
});

function anEvent(): DomainEvent {
  return {
    eventId: randomUUID(),
    eventType: 'consent.status',
    resourceType: 'file-payment-consent',
    resourceId: randomUUID(),
    apiVersion: '4.0',
    clientId: randomUUID(),
    status: 'Authorised',
    occurredAt: new Date(),
    attempts: 1,
  };
}
