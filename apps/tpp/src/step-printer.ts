import type { HttpsExchange } from './https-client.js';

/** Prints the steps of a journey as they happen: request, HTTP status and time. */
export class StepPrinter {
  readonly #startedAt = performance.now();
  #exchanges: HttpsExchange[] = [];
  #steps = 0;
  #requests = 0;

  /** @param heading is printed above the first step that got an answer */
  constructor(private readonly heading: string) {}

  readonly record = (exchange: HttpsExchange): void => {
    this.#exchanges.push(exchange);
  };

  /** Runs a step and prints it; also when it fails. */
  async step<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
    this.#steps += 1;
    const startedAt = performance.now();
    try {
      const result = await work();
      this.#print(title, performance.now() - startedAt);
      return result;
    } catch (error) {
      // Without an answer, only the error is shown.
      if (this.#exchanges.length > 0) this.#print(title, performance.now() - startedAt);
      throw error;
    }
  }

  /** @returns number of steps and requests, and the time since the first one */
  total(): string {
    const seconds = ((performance.now() - this.#startedAt) / 1_000).toFixed(1);
    return `${this.#steps} steps, ${this.#requests} requests, ${seconds} s`;
  }

  #print(title: string, milliseconds: number): void {
    const exchanges = this.#exchanges;
    this.#exchanges = [];
    this.#requests += exchanges.length;
    const [first] = exchanges;
    if (this.#steps === 1) console.log(`${this.heading}\n`);
    const asked = first ? `${first.request.method} ${shortPath(first.request.url)}` : '';
    const columns = [
      String(this.#steps).padStart(2),
      title.padEnd(38),
      asked.padEnd(55),
      statuses(exchanges).padEnd(16),
    ];
    console.log(`${columns.join('  ')} ${milliseconds.toFixed(0).padStart(5)} ms`);
  }
}

function statuses(exchanges: readonly HttpsExchange[]): string {
  if (exchanges.length === 0) return '-';
  if (exchanges.length > 3) return `${exchanges.at(-1)?.response.status} (${exchanges.length} times)`;
  return exchanges.map(({ response }) => response.status).join(' ');
}

/** The path without the common prefix and without ids. */
function shortPath(url: string): string {
  return new URL(url).pathname
    .replace(/^\/open-banking\/v\d\.\d(?:\/pisp)?/, '…')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '{id}');
}
