import { Injectable, Logger } from '@nestjs/common';
import { EventOutbox, HttpsEventWebhook, mostDeliveries } from '#libs/events';

/** Delivers events from the outbox to their receiver. */
@Injectable()
export class EventDelivery {
  readonly #logger = new Logger('EventDelivery');

  constructor(
    private readonly outbox: EventOutbox,
    private readonly webhook: HttpsEventWebhook,
  ) {}

  /** Whether there is a receiver. */
  get isOn(): boolean {
    return this.webhook.isOn;
  }

  /**
   * Delivers what is due.
   * @returns whether there may be more
   */
  async deliverNext(): Promise<boolean> {
    const events = await this.outbox.take(mostDeliveries);
    const outcomes = await Promise.allSettled(events.map((event) => this.webhook.deliver(event)));
    const delivered = events.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    await this.outbox.noteDelivered(delivered.map(({ eventId }) => eventId));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') continue;
      const { eventId, attempts } = events[index] ?? {};
      this.#logger.warn({ message: 'An event was not delivered.', eventId, attempts, error: outcome.reason });
    }
    // Undelivered events wait; an unavailable receiver is not asked for the whole list.
    return events.length === mostDeliveries && delivered.length > 0;
  }
}
