import { randomUUID } from 'node:crypto';
import type { ConvertedFile } from '../../../../tpp/src/convert/converted-file.js';
import type { ApiVersion } from '../../../../tpp/src/file-payments/api-version.js';
import type { FilePayment, PaymentConsent } from '../../../../tpp/src/file-payments/file-payments-client.js';
import type { HttpsExchange } from '../../../../tpp/src/https-client.js';
import type { KeptToken } from '../../../../tpp/src/profile/state.js';
import type { AuthorizationRequest } from '../../../../tpp/src/oauth/authorization-request.js';

/** Where a run is; each state has one next step. */
export type RunState =
  | 'Ready' // the file is made; the consent comes next
  | 'Uploaded' // the customer comes next
  | 'AtBank' // the customer was sent to the bank
  | 'Approved' // the payments come next
  | 'Paid' // the bank works on them
  | 'Done'
  | 'Ended'; // declined or refused: nothing comes next

/** A request of a run, as its page shows it. */
export interface RunExchange {
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  interactionId: string | undefined;
}

/** One file on its way from a CSV to made payments. */
export interface PaymentRun {
  readonly id: string;
  readonly csv: string;
  /** of the Read/Write API */
  readonly version: ApiVersion;
  readonly converted: ConvertedFile;
  /** one for each request that changes something, so that it may be sent again when its answer was lost */
  readonly keys: Readonly<Record<'consent' | 'upload' | 'pay', string>>;
  readonly exchanges: RunExchange[];
  state: RunState;
  consent?: PaymentConsent;
  /** for the customer's approval, newest last: one for each window that went to the bank; an answer counts once */
  readonly requests: AuthorizationRequest[];
  psuToken?: KeptToken;
  payment?: FilePayment;
  /** status of each payment in the order of the file, as the report file has them */
  statuses: readonly string[];
  /** what went wrong in the last step */
  problem?: { message: string; interactionId: string | undefined } | undefined;
}

const mostRuns = 50;
const mostExchanges = 100;

/** The runs of this process; the oldest are dropped. */
export class PaymentRuns {
  readonly #runs = new Map<string, PaymentRun>();

  create(csv: string, version: ApiVersion, converted: ConvertedFile): PaymentRun {
    const keys = { consent: randomUUID(), upload: randomUUID(), pay: randomUUID() };
    const run: PaymentRun = {
      id: randomUUID(),
      csv,
      version,
      converted,
      keys,
      exchanges: [],
      requests: [],
      state: 'Ready',
      statuses: [],
    };
    this.#runs.set(run.id, run);
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= mostRuns) break;
      this.#runs.delete(oldest);
    }
    return run;
  }

  find(id: string): PaymentRun | undefined {
    return this.#runs.get(id);
  }

  /** @returns the newest, that one first */
  newest(count: number): PaymentRun[] {
    return [...this.#runs.values()].slice(-count).toReversed();
  }

  /** @returns the run whose customer comes back with this state (RFC 6749 s10.12) */
  findByState(state: string): PaymentRun | undefined {
    return [...this.#runs.values()].find(({ requests }) => requests.some((request) => request.state === state));
  }
}

/** Takes note of a request of the run; the newest are kept. */
export function noteExchange({ exchanges }: PaymentRun, { request, response, milliseconds }: HttpsExchange): void {
  const interactionId = response.headers['x-fapi-interaction-id'];
  exchanges.push({
    method: request.method,
    path: new URL(request.url).pathname,
    status: response.status,
    milliseconds,
    interactionId: typeof interactionId === 'string' ? interactionId : undefined,
  });
  if (exchanges.length > mostExchanges) exchanges.shift();
}
