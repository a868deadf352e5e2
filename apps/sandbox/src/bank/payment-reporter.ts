import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:https';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createCompactJws, type SigningKey } from '#libs/jws';
import { createOutgoingAgent, exchange } from '#libs/outgoing';
import type { PaymentOutcome } from './payment-outcome.js';
import { findUnreported, noteReported } from './payments.js';

/** Pause between two searches for changes, in milliseconds. */
const pauseMilliseconds = 500;
const timeoutMilliseconds = 5_000;
const lifeSeconds = 120;

export interface ReporterOptions {
  readonly pool: Pool;
  /** the hub's key, whose public half the service knows */
  readonly key: SigningKey;
  /** PEM of the authority of the service's server */
  readonly ca: string;
  /** address of the service's API */
  readonly apiUrl: string;
  /** address of the bank's own API, by which it names itself */
  readonly bankUrl: string;
  readonly log: Logger;
}

/**
 * Reports the status of payments to the service as soon as it changes (deploy/bank-openapi.yaml, paymentOutcomes). A
 * failed report is repeated with the next one.
 */
export class PaymentReporter {
  readonly #agent: Agent;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(private readonly options: ReporterOptions) {
    this.#agent = createOutgoingAgent({ ca: options.ca });
  }

  start(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#report()
        // The service or the database is away; the next search tries again.
        .catch((error: unknown) => this.options.log.warn({ err: error }, 'The bank could not report on payments.'))
        .finally(() => this.start());
    }, pauseMilliseconds);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    this.#agent.destroy();
  }

  async #report(): Promise<void> {
    const news = await findUnreported(this.options.pool, new Date());
    if (news.length === 0) return;
    const { status } = await exchange({
      url: new URL(this.#url),
      method: 'POST',
      headers: { 'content-type': 'application/jwt' },
      body: Buffer.from(await this.#toToken(news)),
      agent: this.#agent,
      patience: timeoutMilliseconds,
      isRepeatable: false,
    });
    if (status !== 200) throw new Error(`The service answered ${status}.`);
    await noteReported(this.options.pool, news);
  }

  #toToken(payments: readonly (PaymentOutcome & { paymentId: string })[]): Promise<string> {
    const { key, bankUrl } = this.options;
    const iat = Math.floor(Date.now() / 1_000);
    const claims = { iss: bankUrl, aud: this.#url, iat, exp: iat + lifeSeconds, jti: randomUUID(), payments };
    return createCompactJws({ header: { typ: 'payment-outcomes+jwt' }, payload: JSON.stringify(claims), key });
  }

  get #url(): string {
    return `${this.options.apiUrl}/bank/v1/payment-outcomes`;
  }
}
