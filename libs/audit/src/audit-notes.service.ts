import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/config';
import { Database, recordAuditEvent } from '#libs/persistence';

/**
 * Pause between the first note and the events, in milliseconds: what a process that is killed takes with it is younger than a second,
 * the time to write it included.
 */
const gatherMilliseconds = 500;
/** Kinds of notes held at a time; what comes beyond is counted together, by its action. */
const mostKinds = 1_000;

/** Something that may happen often, and that nobody waits for to be written down. */
export interface AuditNote {
  /** what, in words with a dot: `client.authentication-failed` */
  readonly action: string;
  /** a registered client */
  readonly clientId?: string;
  /** of a small number of values; never a secret, never what a caller can make up at will */
  readonly reason: string;
}

/** Notes of one kind, until they are written. */
interface HeldNote {
  readonly note: AuditNote;
  readonly count: number;
  readonly since: Date;
}

/**
 * Audit events for what goes wrong on hot paths. Notes of one kind become one event with their number, a moment later and
 * together: a flood of bad requests costs no SQL of its own.
 */
@Injectable()
export class AuditNotes implements BeforeApplicationShutdown {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #logger = new Logger('AuditNotes');
  #held = new Map<string, HeldNote>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Counts something; it is written within a second. */
  note(note: AuditNote): void {
    this.#hold({ note, count: 1, since: this.#clock.now() });
  }

  #hold(added: HeldNote): void {
    const { action, clientId, reason } = added.note;
    const kind = JSON.stringify([action, clientId, reason]);
    const isTold = this.#held.has(kind) || this.#held.size < mostKinds;
    const key = isTold ? kind : JSON.stringify([action]);
    const held = this.#held.get(key);
    if (held === undefined) {
      this.#held.set(
        key,
        isTold ? added : { ...added, note: { action, reason: 'of more clients than are told apart' } },
      );
    } else {
      this.#held.set(key, {
        ...held,
        count: held.count + added.count,
        since: held.since < added.since ? held.since : added.since,
      });
    }
    this.#timer ??= setTimeout(() => void this.flush(), gatherMilliseconds).unref();
  }

  /** Writes what is held. What cannot be written is held on to. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    if (held.size === 0) return;
    this.#held = new Map();
    try {
      await this.#database.transaction(async (runner) => {
        for (const { note, count, since } of held.values()) {
          const { action, clientId, reason } = note;
          await recordAuditEvent(runner, {
            actor: this.#database.applicationName,
            action,
            ...(clientId === undefined ? {} : { clientId }),
            details: { reason, count, since: since.toISOString() },
            occurredAt: this.#clock.now(),
          });
        }
      });
    } catch (error) {
      this.#logger.error({ message: 'Audit events could not be written; the process tries again.', error });
      for (const value of held.values()) this.#hold(value);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }
}
