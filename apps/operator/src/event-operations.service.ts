import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/config';
import { EventOutbox } from '#libs/events';
import { Database, readTime, recordAuditEvent } from '#libs/persistence';
import type { Mandate } from './client-operations.service.js';

/** Operations on the events that their receiver has not accepted. */
@Injectable()
export class EventOperations {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: EventOutbox,
  ) {}

  /** The worker delivers all of them now, instead of after their pauses. */
  async retry({ actor, reason }: Mandate): Promise<{ done: string; events: number }> {
    const events = await this.outbox.hasten();
    const details = { events, ...(reason === undefined ? {} : { reason }) };
    const occurredAt = await readTime(this.database, this.clock.ofDatabase());
    await recordAuditEvent(this.database, { actor, action: 'events.retry', details, occurredAt });
    return { done: 'retry', events };
  }
}
