import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Clock, type Config } from '#libs/config';
import { type DomainEvent, HttpsEventWebhook } from '#libs/events';
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
