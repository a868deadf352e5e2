import { BankUnavailableError } from '#libs/bank';

/** Calls of one worker that a bank takes at once. */
const mostCalls = 200;
/** At once after a pause: each new connection costs as much as many calls. */
const fewestToBegin = 20;

/**
 * The calls about payments that a worker makes at the same time, and what it has not yet noted of their answers. They
 * wait here in the order in which they are asked for, by turns with those on which others depend. They begin with few
 * and become more with every answer; a bank that is away, or that says it has too many, gets half as many.
 */
export class BankCalls {
  #limit: number;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #ahead: (() => void)[] = [];
  #isAway = false;
  #wasAhead = false;

  constructor(readonly most = mostCalls) {
    this.#limit = this.#beginning;
  }

  /** how many the bank may get now */
  get limit(): number {
    return this.#limit;
  }

  /** whether the last call had no answer */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Makes a call, and what has to follow it, when it is its turn. */
  make<Result>(call: () => Promise<Result>): Promise<Result> {
    return this.#make(call, this.#waiting);
  }

  /** Makes a call before all but one of those that wait: more calls become possible when it is answered. */
  makeAhead<Result>(call: () => Promise<Result>): Promise<Result> {
    return this.#make(call, this.#ahead);
  }

  async #make<Result>(call: () => Promise<Result>, queue: (() => void)[]): Promise<Result> {
    if (this.#underWay + 1 <= this.#limit) this.#underWay += 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      const result = await call();
      this.#isAway = false;
      this.#limit = Math.min(this.#limit + 1, this.most);
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

  get #beginning(): number {
    return Math.min(fewestToBegin, this.most);
  }

  #wake(): void {
    while (this.#underWay + 1 <= this.#limit) {
      const [first, other] = this.#wasAhead ? [this.#waiting, this.#ahead] : [this.#ahead, this.#waiting];
      const queue = first.length > 0 ? first : other;
      const next = queue.shift();
      if (next === undefined) break;
      this.#wasAhead = queue === this.#ahead;
      this.#underWay += 1;
      next();
    }
    if (this.#underWay === 0) this.#limit = Math.min(this.#limit, this.#beginning);
  }
}
