import { Agent, request } from 'node:https';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, Config, serviceSigningKey } from '#libs/config';
import { createCompactJws } from '#libs/jws';
import { traceCall } from '#libs/tracing';
import { type DomainEvent, toSecurityEventClaims } from './domain-event.js';
import { shortestPauseSeconds } from './event-outbox.js';

/** The API part of resources other than payments. */
const areaOf: Readonly<Record<string, string>> = {
  'account-access-consent': 'aisp',
  'funds-confirmation-consent': 'cbpii',
};

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
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #agent: Agent;

  constructor(config: Config, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
    const { ca } = config.events.webhook ?? {};
    // @cryptography TLS 1.2 or 1.3 | none | the webhook, trusting EVENT_WEBHOOK_CA or the system's CAs
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: 16,
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca }),
    });
  }

  /** Whether a receiver is configured. */
  get isOn(): boolean {
    return this.#config.events.webhook !== undefined;
  }

  /** @throws EventDeliveryError */
  async deliver(event: DomainEvent): Promise<void> {
    const { webhook } = this.#config.events;
    if (webhook === undefined) throw new EventDeliveryError('EVENT_WEBHOOK_URL is not set.');
    const body = await this.#toToken(event);
    const call = { name: 'deliver event', method: 'POST', host: new URL(webhook.url).host, isOwn: true };
    const status = await traceCall(call, async ({ headers, answered }) => {
      const given = await this.#post(webhook.url, body, headers);
      answered(given);
      return given;
    });
    if (status < 200 || status > 299) throw new EventDeliveryError(`The receiver answered ${status}.`);
  }

  onApplicationShutdown(): void {
    this.#agent.destroy();
  }

  #toToken(event: DomainEvent): Promise<string> {
    const { issuer, baseUrl } = this.#config;
    const { apiVersion, resourceType, resourceId } = event;
    const path = `open-banking/v${apiVersion}/${areaOf[resourceType] ?? 'pisp'}/${resourceType}s/${resourceId}`;
    const resourceUrl = `${baseUrl}/${path}`;
    const claims = toSecurityEventClaims(event, { resourceUrl, issuer, now: this.#clock.now() });
    return createCompactJws({
      header: { typ: 'secevent+jwt' },
      payload: JSON.stringify(claims),
      key: serviceSigningKey(this.#config),
    });
  }

  #post(url: string, token: string, headers: Readonly<Record<string, string>>): Promise<number> {
    const body = Buffer.from(token);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        {
          method: 'POST',
          agent: this.#agent,
          signal: AbortSignal.timeout(timeoutMilliseconds),
          headers: {
            ...headers,
            'content-type': 'application/secevent+jwt',
            accept: 'application/json',
            'content-length': body.length,
          },
        },
        (incoming) => {
          resolve(incoming.statusCode ?? 0);
          incoming.resume();
          // Only the status counts; later failures change nothing.
          incoming.on('error', () => undefined);
        },
      );
      outgoing.on('error', (cause) => reject(new EventDeliveryError('The receiver cannot be reached.', { cause })));
      outgoing.end(body);
    });
  }
}
