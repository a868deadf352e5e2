import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/config';
import { Database, recordAuditEvent } from '#libs/persistence';

/** Pause between the first note of a kind and its event, in milliseconds. */
const gatherMilliseconds = 5_000;
/** Kinds of notes held at a time; what comes beyond is counted as one. */
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

/**
 * Audit events for what goes wrong on hot paths. Notes of one kind become one event with their number, some seconds later and
 * together: a flood of bad requests costs no SQL of its own.
 */
@Injectable()
export class AuditNotes implements BeforeApplicationShutdown {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #logger = new Logger('AuditNotes');
  #held = new Map<string, { note: AuditNote; count: number; since: Date }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  note(note: AuditNote): void {
    const isFull = this.#held.size >= mostKinds;
    const kind = JSON.stringify([note.action, note.clientId, note.reason]);
    const key = isFull && !this.#held.has(kind) ? 'others' : kind;
    const held = this.#held.get(key);
    if (held !== undefined) {
      held.count += 1;
      return;
    }
    const kept = key === 'others' ? { action: note.action, reason: 'of more clients than are told apart' } : note;
    this.#held.set(key, { note: kept, count: 1, since: this.#clock.now() });
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
      this.#logger.error({ message: 'Audit events could not be written; they are tried again.', error });
      for (const [key, value] of held) {
        const newer = this.#held.get(key);
        this.#held.set(key, newer === undefined ? value : { ...value, count: value.count + newer.count });
      }
      this.#timer ??= setTimeout(() => void this.flush(), gatherMilliseconds).unref();
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }
}
