import { Injectable, Logger } from '@nestjs/common';
import { type NewSeal, sealAuditEvents } from '#libs/audit';
import { Clock, Config, serviceSigningKey } from '#libs/config';
import { Database, readTime } from '#libs/persistence';
import { metricsOf, Telemetry } from '#libs/telemetry';

/** Events under one seal. */
const mostEvents = 1_000;

@Injectable()
export class AuditSealing {
  readonly #logger = new Logger('AuditSealing');
  #last: (NewSeal & { at: Date }) | undefined;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
    telemetry: Telemetry,
  ) {
    const { gauge } = metricsOf(telemetry.registry);
    gauge('open_banking_audit_seal_number', 'The last seal that this process made.', [], (set) => {
      if (this.#last !== undefined) set({}, this.#last.number);
    });
    gauge('open_banking_audit_seal_timestamp_seconds', 'Time of the last seal that this process made.', [], (set) => {
      if (this.#last !== undefined) set({}, this.#last.at.getTime() / 1_000);
    });
  }

  /** @returns whether there may be more to seal immediately */
  async sealNext(): Promise<boolean> {
    const now = await readTime(this.database, this.clock.ofDatabase());
    const key = serviceSigningKey(this.config);
    const seal = await this.database.transaction((runner) => sealAuditEvents(runner, { key, limit: mostEvents, now }));
    if (seal === undefined) return false;
    this.#last = { ...seal, at: now };
    // The log is kept elsewhere, so a truncated trail can be detected.
    this.#logger.warn({ message: 'audit seal', number: seal.number, hash: seal.hash, events: seal.count });
    return seal.count === mostEvents;
  }
}
