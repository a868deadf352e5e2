import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/config';
import { Database, readTime, secondsAfter } from '#libs/persistence';
import type { DomainEvent } from './domain-event.js';

/** Pauses between two attempts to deliver an event, in seconds. */
export const shortestPauseSeconds = 10;
const longestPauseSeconds = 3_600;

const hastenedAtOnce = 2_000;

/**
 * The events written by the statements that change a state. Several workers may take from it; delivery is at least
 * once, in no particular order.
 */
@Injectable()
export class EventOutbox {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Takes due events. Unless removed, they are due again after a pause that doubles, up to an hour. */
  async take(limit: number): Promise<DomainEvent[]> {
    const { rows } = await this.database.query<DomainEvent & { [column: string]: unknown }>(
      'take-domain-events',
      `UPDATE domain_events
          SET attempts = attempts + 1,
              next_attempt_at = ${secondsAfter(
                '$1::timestamptz',
                'least($4::integer * power(2, least(attempts, 12)), $3::integer)',
              )}
        WHERE event_id = ANY (ARRAY(
          SELECT event_id FROM domain_events WHERE next_attempt_at <= $1
           ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED))
       RETURNING event_id AS "eventId", event_type AS "eventType", resource_type AS "resourceType",
         resource_id AS "resourceId", client_id AS "clientId", status, occurred_at AS "occurredAt",
           api_version AS "apiVersion",
         attempts`,
      [this.clock.ofDatabase(), limit, longestPauseSeconds, shortestPauseSeconds],
    );
    return rows;
  }

  /** Delivered events are not taken again. */
  async noteDelivered(eventIds: readonly string[]): Promise<void> {
    if (eventIds.length === 0) return;
    await this.database.query(
      'note-domain-events-delivered',
      'UPDATE domain_events SET delivered_at = $2, next_attempt_at = NULL WHERE event_id = ANY ($1::uuid[])',
      [eventIds, this.clock.ofDatabase()],
    );
  }

  /**
   * Makes all events due now that wait for another attempt.
   * @returns how many
   */
  async hasten(): Promise<number> {
    const now = await readTime(this.database, this.clock.ofDatabase());
    let total = 0;
    let hastened: number;
    do {
      const { rowCount } = await this.database.query(
        'hasten-domain-events',
        `UPDATE domain_events SET next_attempt_at = $1 WHERE event_id = ANY (ARRAY(
           SELECT event_id FROM domain_events WHERE next_attempt_at > $1 ORDER BY next_attempt_at LIMIT $2
             FOR UPDATE SKIP LOCKED))`,
        [now, hastenedAtOnce],
      );
      hastened = rowCount ?? 0;
      total += hastened;
    } while (hastened >= hastenedAtOnce);
    return total;
  }

  /**
   * Deletes events whose retention period has ended, delivered or not.
   * @param limit maximum number at once
   */
  async deleteOlderThan(before: Date, limit: number): Promise<number> {
    const { rowCount } = await this.database.query(
      'delete-old-domain-events',
      `DELETE FROM domain_events WHERE event_id = ANY (ARRAY(
         SELECT event_id FROM domain_events WHERE occurred_at < $1 ORDER BY occurred_at LIMIT $2
           FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
    return rowCount ?? 0;
  }
}
