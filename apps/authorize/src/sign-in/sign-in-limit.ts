import type { AuditNotes } from '#libs/audit';
import { RequestCount } from '#libs/guards';

const windowSeconds = 60;

/** A limit, as the audit trail names it. */
type LimitName = 'Network' | 'UserName' | 'Session' | 'OverAll';

/**
 * One of the limits on passwords and one-time codes. The audit trail records that it was reached, but not by whom or
 * from where.
 */
export class SignInLimit {
  readonly #count: RequestCount | undefined;
  readonly #name: LimitName;

  /** @param limit `points`: attempts per minute, 0 for any number */
  constructor(
    { points, name }: { points: number; name: LimitName },
    private readonly notes: AuditNotes,
  ) {
    this.#count = points === 0 ? undefined : new RequestCount({ points, windowSeconds });
    this.#name = name;
  }

  /** Counts one more. Throws BodilessError: 429. */
  async add(key: string): Promise<void> {
    try {
      await this.#count?.add(key);
    } catch (error) {
      noteLimitReached(this.notes, this.#name);
      throw error;
    }
  }
}

/** @param limit its name */
export function noteLimitReached(notes: AuditNotes, limit: LimitName): void {
  notes.note({ action: 'sign-in.limit-reached', reason: limit });
}
