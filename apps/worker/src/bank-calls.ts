import { BankUnavailableError } from '#libs/bank';

/** Calls at once after a pause, few because each new connection costs as much as many calls. */
const fewestToBegin = 20;
/** The limit starts again after this time without a full load. Few servers close idle connections sooner. */
const pauseMilliseconds = 5_000;

/**
 * The calls about payments that a worker makes at the same time, and what it has not yet noted of their answers. They
 * wait here in the order in which they are asked for, by turns with those on which others depend. They begin with few
 * and become more with every answer while all that are allowed are under way; a bank that is away, or that says it has
 * too many, gets half as many.
 */
export class BankCalls {
  #limit: number;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #ahead: (() => void)[] = [];
  #isAway = false;
  #wasAhead = false;
  #fullAt = -Infinity;

  /**
   * @param most calls of one worker that the bank takes at once
   * @param now milliseconds by a clock that is never set
   */
  constructor(
    readonly most: number,
    private readonly now = () => performance.now(),
  ) {
    this.#limit = this.#beginning;
  }

  /** how many the bank may get now */
  get limit(): number {
    this.#beginAgain();
    return this.#limit;
  }

  /** whether the last call had no answer */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Makes a call, with what has to follow it, as soon as it may. */
  make<Result>(call: () => Promise<Result>): Promise<Result> {
    return this.#make(call, this.#waiting);
  }

  /** Makes a call before all but one of those that wait: more calls become possible when it is answered. */
  makeAhead<Result>(call: () => Promise<Result>): Promise<Result> {
    return this.#make(call, this.#ahead);
  }

  async #make<Result>(call: () => Promise<Result>, queue: (() => void)[]): Promise<Result> {
    this.#beginAgain();
    if (!this.#isFull) this.#underWay += 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      const result = await call();
      this.#isAway = false;
      if (this.#isFull) this.#fullAt = this.now();
      // Beyond the beginning, calls that come one by one do not show how many at once the bank takes.
      if (this.#isFull || this.#limit < this.#beginning) this.#limit = Math.min(this.#limit + 1, this.most);
      return result;
    } catch (error) {
      if (error instanceof BankUnavailableError) {
        this.#isAway = true;
        this.#limit = Math.max(this.#limit / 2, 1);
      }
      throw error;
    } finally {
      this.#underWay -= 1;
      this.#wake();
    }
  }

  /** Starts again with few calls after a pause. */
  #beginAgain(): void {
    if (this.#underWay > 0 || this.now() - this.#fullAt < pauseMilliseconds) return;
    this.#limit = Math.min(this.#limit, this.#beginning);
  }

  get #isFull(): boolean {
    return this.#underWay + 1 > this.#limit;
  }

  get #beginning(): number {
    return Math.min(fewestToBegin, this.most);
  }

  #wake(): void {
    while (!this.#isFull) {
      const [first, other] = this.#wasAhead ? [this.#waiting, this.#ahead] : [this.#ahead, this.#waiting];
      const queue = first.length > 0 ? first : other;
      const next = queue.shift();
      if (next === undefined) break;
      this.#wasAhead = queue === this.#ahead;
      this.#underWay += 1;
      next();
    }
  }
}
