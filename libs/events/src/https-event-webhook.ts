import type { Agent } from 'node:https';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, Config, serviceSigningKey } from '#libs/config';
import { createCompactJws } from '#libs/jws';
import { createOutgoingAgent, exchange } from '#libs/outgoing';
import { traceCall } from '#libs/tracing';
import { type DomainEvent, toSecurityEventClaims } from './domain-event.js';
import { shortestPauseSeconds } from './event-outbox.js';

/** The API part of resources other than payments. */
const areaOf: Readonly<Record<string, string>> = {
  'account-access-consent': 'aisp',
  'funds-confirmation-consent': 'cbpii',
};

/** Events delivered at the same time. */
export const mostDeliveries = 20;

/** The receiver did not accept the event; it is tried again. */
class EventDeliveryError extends Error {
  override readonly name = 'EventDeliveryError';
}

/** Shorter than the retry pause, so that no other worker delivers the event meanwhile. */
const timeoutMilliseconds = shortestPauseSeconds * 500;

/**
 * Delivers events to the address of EVENT_WEBHOOK_URL as security event tokens, each a compact JWS of this service
 * (push delivery of RFC 8935: POST, answered with 202). Redirects are not followed; the answer's body is not read.
 */
@Injectable()
export class HttpsEventWebhook implements OnApplicationShutdown {
  readonly #agent: Agent;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    const { ca } = config.events.webhook ?? {};
    // A socket for each concurrent delivery: waiting for one would count as the receiver's time. @cryptography TLS 1.2
    // or 1.3 | none | the webhook, trusting EVENT_WEBHOOK_CA or the system's CAs
    this.#agent = createOutgoingAgent({ maxSockets: mostDeliveries, ca });
  }

  /** Whether a receiver is configured. */
  get isOn(): boolean {
    return this.config.events.webhook !== undefined;
  }

  /** @throws EventDeliveryError */
  async deliver(event: DomainEvent): Promise<void> {
    const { webhook } = this.config.events;
    if (webhook === undefined) throw new EventDeliveryError('EVENT_WEBHOOK_URL is not set.');
    const body = Buffer.from(await this.#toToken(event));
    const call = { name: 'deliver event', method: 'POST', host: new URL(webhook.url).host, isOwn: true };
    const status = await traceCall(call, async ({ headers, answered }) => {
      const given = await exchange({
        url: new URL(webhook.url),
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/secevent+jwt', accept: 'application/json' },
        body,
        agent: this.#agent,
        patience: timeoutMilliseconds,
        // Receivers know an event by its jti.
        isRepeatable: true,
      }).catch((cause: unknown) => {
        throw new EventDeliveryError('The receiver cannot be reached.', { cause });
      });
      answered(given.status);
      return given.status;
    });
    if (status < 200 || status > 299) throw new EventDeliveryError(`The receiver answered ${status}.`);
  }

  onApplicationShutdown(): void {
    this.#agent.destroy();
  }

  #toToken(event: DomainEvent): Promise<string> {
    const { issuer, baseUrl } = this.config;
    const { apiVersion, resourceType, resourceId } = event;
    const path = `open-banking/v${apiVersion}/${areaOf[resourceType] ?? 'pisp'}/${resourceType}s/${resourceId}`;
    const resourceUrl = `${baseUrl}/${path}`;
    const claims = toSecurityEventClaims(event, { resourceUrl, issuer, now: this.clock.now() });
    return createCompactJws({
      header: { typ: 'secevent+jwt' },
      payload: JSON.stringify(claims),
      key: serviceSigningKey(this.config),
    });
  }
}
