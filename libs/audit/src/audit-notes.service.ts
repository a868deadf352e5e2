import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/config';
import { Database, recordAuditEvent } from '#libs/persistence';

/**
 * Milliseconds between the first note and its event. A killed process loses less than one second of notes, including
 * the time to write them.
 */
const gatherMilliseconds = 500;
/** Maximum kinds of notes held at a time; further ones are counted together for each action. */
const mostKinds = 1_000;

/** Something that may happen often. Nobody waits until it is recorded. */
export interface AuditNote {
  /** the action, as words with a dot: `client.authentication-failed` */
  readonly action: string;
  /** a registered client */
  readonly clientId?: string;
  /** one of a small number of values; never a secret, never a value that the caller can choose */
  readonly reason: string;
}

/** Notes of one kind, until they are written. */
interface HeldNote {
  readonly note: AuditNote;
  readonly count: number;
  readonly since: Date;
}

/**
 * Audit events for failures on hot paths. Notes of one kind become one event with their count a moment later, so a
 * flood of bad requests adds no SQL.
 */
@Injectable()
export class AuditNotes implements BeforeApplicationShutdown {
  readonly #logger = new Logger('AuditNotes');
  #held = new Map<string, HeldNote>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Counts an occurrence, which is written within a second. */
  note(note: AuditNote): void {
    this.#hold({ note, count: 1, since: this.clock.now() });
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

  /** Writes the notes held, and keeps those that cannot be written. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    if (held.size === 0) return;
    this.#held = new Map();
    try {
      await this.database.transaction(async (runner) => {
        for (const { note, count, since } of held.values()) {
          const { action, clientId, reason } = note;
          await recordAuditEvent(runner, {
            actor: this.database.applicationName,
            action,
            ...(clientId === undefined ? {} : { clientId }),
            details: { reason, count, since: since.toISOString() },
            occurredAt: this.clock.now(),
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
