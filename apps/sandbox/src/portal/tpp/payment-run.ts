import { randomUUID } from 'node:crypto';
import { type ConvertedFile, toInitiation } from '../../../../tpp/src/convert/converted-file.js';
import type { ApiVersion } from '../../../../tpp/src/read-write/api-version.js';
import type { HttpsExchange } from '../../../../tpp/src/https-client.js';
import { JourneyError } from '../../../../tpp/src/journey-error.js';
import type { JsonObject } from '../../../../tpp/src/json.js';
import type { Payment, PaymentConsent } from '../../../../tpp/src/read-write/payments-client.js';
import type { PaymentKind } from '../../../../tpp/src/purpose.js';
import type { KeptToken } from '../../../../tpp/src/profile/state.js';
import type { AuthorizationRequest } from '../../../../tpp/src/oauth/authorization-request.js';

/** The state of a run; each has one next step. */
export type RunState =
  | 'Ready' // the consent comes next
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

/** A file, or one payment, on its way from a form to the payee. */
export interface PaymentRun {
  readonly id: string;
  readonly kind: PaymentKind;
  readonly csv: string;
  /** of the Read/Write API */
  readonly version: ApiVersion;
  readonly converted: ConvertedFile;
  /** idempotency keys, so that a request may be sent again if its answer was lost */
  readonly keys: Readonly<Record<'consent' | 'upload' | 'pay', string>>;
  readonly exchanges: RunExchange[];
  state: RunState;
  consent?: PaymentConsent;
  /** for the customer's approval, newest last: one for each window sent to the bank; an answer counts once */
  readonly requests: AuthorizationRequest[];
  psuToken?: KeptToken;
  /** of a single payment: whether the bank says that the money is there */
  isFunded?: boolean;
  payment?: Payment;
  /** status of each payment in the order of the file */
  statuses: readonly string[];
  /** why a single payment was rejected */
  reason?: string | undefined;
  /** what went wrong in the last step */
  problem?: { message: string; interactionId: string | undefined } | undefined;
}

const mostRuns = 50;
const mostExchanges = 100;

/** The runs of this process; the oldest are dropped. */
export class PaymentRuns {
  readonly #runs = new Map<string, PaymentRun>();

  create(made: Pick<PaymentRun, 'kind' | 'csv' | 'version' | 'converted'>): PaymentRun {
    const keys = { consent: randomUUID(), upload: randomUUID(), pay: randomUUID() };
    const run: PaymentRun = {
      id: randomUUID(),
      ...made,
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

  /** @returns the newest, the latest first */
  newest(count: number): PaymentRun[] {
    return [...this.#runs.values()].slice(-count).toReversed();
  }

  /** @returns the run whose customer comes back with this state (RFC 6749 s10.12) */
  findByState(state: string): PaymentRun | undefined {
    return [...this.#runs.values()].find(({ requests }) => requests.some((request) => request.state === state));
  }
}

/** Stores a request of the run; only the newest are kept. */
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

/** @returns Data.Initiation of a single payment */
export function initiationOf({ converted, version }: PaymentRun): JsonObject {
  const [payment] = converted.payments;
  if (payment === undefined) throw new JourneyError('there is no payment');
  return toInitiation(payment, { version });
}
