import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { BodilessError } from '#libs/error-envelope';

/** A caller's quota in a window, and what remains of it. */
export interface Quota {
  readonly points: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** until the whole quota is available again */
  readonly resetSeconds: number;
  /** this request exceeded the quota */
  readonly isExceeded: boolean;
}

/** A count, kept by this process, of what a caller does in a window, and its limit. */
export class RequestCount {
  readonly #limiter: RateLimiterMemory;
  readonly #windowSeconds: number;

  constructor({ points, windowSeconds }: { points: number; windowSeconds: number }) {
    this.#limiter = new RateLimiterMemory({ points, duration: windowSeconds });
    this.#windowSeconds = windowSeconds;
  }

  /** Counts one more. */
  async take(key: string): Promise<Quota> {
    try {
      return this.#quotaOf(await this.#limiter.consume(key), false);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return this.#quotaOf(refusal, true);
    }
  }

  /** Counts one more. Throws BodilessError: 429 without a body, with the seconds to wait (RFC 6585 s4). */
  async add(key: string): Promise<void> {
    assertNotExceeded(await this.take(key));
  }

  #quotaOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isExceeded: boolean): Quota {
    return {
      points: this.#limiter.points,
      windowSeconds: this.#windowSeconds,
      remaining: Math.max(0, remainingPoints),
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
      isExceeded,
    };
  }
}

/** @throws BodilessError 429 without a body, with the seconds to wait (RFC 6585 s4) */
export function assertNotExceeded({ points, resetSeconds, isExceeded }: Quota): void {
  if (!isExceeded) return;
  throw new BodilessError(429, `more than ${points} requests`, { 'retry-after': String(resetSeconds) });
}
