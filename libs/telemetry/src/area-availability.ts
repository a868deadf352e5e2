/** Consecutive unanswered requests after which an area counts as down (EBA/GL/2018/07, guideline 2.4). */
const requestsUntilDown = 5;
/** A request that takes longer counts as unanswered. */
const longestAnswerSeconds = 30;

/**
 * Whether one area of the service is up, as the regulator counts it: down from the first of five consecutive requests
 * not answered within 30 seconds, until the next one that is. Moments are in milliseconds of a monotonic clock.
 */
export class AreaAvailability {
  #unanswered = 0;
  #firstUnansweredAt = 0;
  #endedDowntimeMilliseconds = 0;

  get isUp(): boolean {
    return this.#unanswered < requestsUntilDown;
  }

  /** @param startedAt time at which the request arrived */
  count(isAnswered: boolean, startedAt: number, now: number): void {
    if (!isAnswered) {
      if (this.#unanswered === 0) this.#firstUnansweredAt = startedAt;
      this.#unanswered += 1;
      return;
    }
    if (!this.isUp) this.#endedDowntimeMilliseconds += now - this.#firstUnansweredAt;
    this.#unanswered = 0;
  }

  /** @returns all time down so far, the current one included */
  downtimeSeconds(now: number): number {
    const current = this.isUp ? 0 : now - this.#firstUnansweredAt;
    return (this.#endedDowntimeMilliseconds + current) / 1_000;
  }
}

/** 503 and 504 count as no answer, and so does a late one. */
export function isAnswer(status: number, seconds: number): boolean {
  return status !== 503 && status !== 504 && seconds <= longestAnswerSeconds;
}
