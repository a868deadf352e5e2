import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { BodilessError } from '#libs/error-envelope';

/** One count, kept by this process: of what somebody does in a window, and how much is too much. */
export class RequestCount {
  readonly #limiter: RateLimiterMemory;

  constructor({ points, windowSeconds }: { points: number; windowSeconds: number }) {
    this.#limiter = new RateLimiterMemory({ points, duration: windowSeconds });
  }

  /** Counts one more. Throws BodilessError: 429 without a body, with the seconds to wait (RFC 6585 s4). */
  async add(key: string): Promise<void> {
    try {
      await this.#limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
      throw new BodilessError(429, `more than ${this.#limiter.points} requests`, { 'retry-after': String(seconds) });
    }
  }
}
