import { setTimeout as sleep } from 'node:timers/promises';
import { isTokenRefused, toKept } from '../../../../tpp/src/cli/session.js';
import type { HttpsClient } from '../../../../tpp/src/https-client.js';
import { JourneyError } from '../../../../tpp/src/journey-error.js';
import { createAuthorizationRequest } from '../../../../tpp/src/oauth/authorization-request.js';
import { verifyAuthorizationResponse, verifyIdToken } from '../../../../tpp/src/oauth/authorization-response.js';
import { versionWords } from '../../../../tpp/src/read-write/api-version.js';
import { idOf, type Payment, type PaymentsClient } from '../../../../tpp/src/read-write/payments-client.js';
import { initiationOf, noteExchange, type PaymentRun } from './payment-run.js';
import type { PortalTpp } from './portal-tpp.js';

const lookMilliseconds = 600;
/** After so many looks the page offers a button instead. */
const mostLooks = 300;
/** Windows in which the customer may be at the bank at once. */
const mostRequests = 10;

/** The steps of a run. Each succeeds, or leaves the run as it was and says what went wrong; each may be repeated. */
export class RunSteps {
  readonly #busy = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();

  /** @param onChange called when a run has changed */
  constructor(
    private readonly tpp: PortalTpp,
    private readonly onChange: (run: PaymentRun) => void,
  ) {}

  /** Stops watching payments. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#busy.values());
  }

  /** Stages the consent, and uploads the file to it. */
  stage(run: PaymentRun): Promise<void> {
    return this.#step(run, 'Ready', async (http) => {
      const { kind, keys, converted } = run;
      const payments = await this.tpp.payments(http, run);
      const send = <Answer>(use: (accessToken: string) => Promise<Answer>) => this.tpp.withAccessToken(http, use);
      if (kind === 'file-payment') {
        const { file } = converted;
        const members = { FileReference: 'Supplier run' };
        run.consent ??= await send((token) => payments.createFileConsent(token, file, members, keys.consent));
        const { ConsentId } = run.consent.Data;
        await send((token) => payments.uploadFile(token, ConsentId, file, keys.upload));
      } else {
        const initiation = initiationOf(run);
        run.consent = await send((token) => payments.createSingleConsent(token, initiation, true, keys.consent));
      }
      run.state = 'Uploaded';
    });
  }

  /**
   * Makes the request for the customer's approval; each has its own state and nonce.
   * @returns the address at the bank; undefined if the run is at another step
   */
  async sendToBank(run: PaymentRun): Promise<string | undefined> {
    let url: string | undefined;
    if (run.state === 'AtBank') run.state = 'Uploaded';
    await this.#step(run, 'Uploaded', async (http) => {
      const client = await this.tpp.client(http);
      const request = await createAuthorizationRequest({ ...client, consentId: consentIdOf(run) });
      run.requests.push(request);
      if (run.requests.length > mostRequests) run.requests.shift();
      run.state = 'AtBank';
      url = request.url;
    });
    return url;
  }

  /**
   * The customer is back from the bank: checks the bank's answer, and exchanges the code.
   * @param location the redirect URI with the bank's answer
   */
  comeBack(run: PaymentRun, location: string): Promise<void> {
    return this.#step(run, 'AtBank', async (http) => {
      const state = new URLSearchParams(new URL(location).hash.slice(1)).get('state');
      const request = run.requests.find((each) => each.state === state);
      if (request === undefined) throw new JourneyError('the customer was not sent to the bank');
      run.requests.splice(run.requests.indexOf(request), 1); // an answer counts once
      run.state = 'Ended';
      const client = await this.tpp.client(http);
      const expected = { ...client, consentId: consentIdOf(run) };
      const code = await verifyAuthorizationResponse({ location, request, ...expected });
      run.state = 'Uploaded';
      const { redirectUri: redirect_uri } = request;
      const grant = { grant_type: 'authorization_code', code, redirect_uri, scope: 'openid payments' } as const;
      const token = await this.tpp.requestToken(http, grant);
      await verifyIdToken({ idToken: token.id_token ?? '', ...expected, request, accessToken: token.access_token });
      run.psuToken = toKept(token);
      run.state = 'Approved';
    });
  }

  /** Makes the payments, and watches them from then on. */
  async pay(run: PaymentRun): Promise<void> {
    await this.#step(run, 'Approved', async (http) => {
      const payments = await this.tpp.payments(http, run);
      const { kind, consent, psuToken } = run;
      if (consent === undefined || psuToken === undefined) throw new JourneyError('there is no approval');
      const send = (token: string): Promise<Payment> => payments.createPayment(token, consent, run.keys.pay);
      if (kind === 'file-payment') run.payment = await this.#payAsCustomer(http, psuToken.value, send);
      else {
        const { ConsentId } = consent.Data;
        // Asked once: after a payment whose answer was lost, the consent no longer allows the question.
        run.isFunded ??= await payments.confirmFunds(psuToken.value, ConsentId);
        run.payment = await send(psuToken.value);
      }
      run.state = 'Paid';
    });
    this.watch(run);
  }

  /** If the token of the approval has ended, the approval has not: the client's own token pays as well. */
  async #payAsCustomer(
    http: HttpsClient,
    psuToken: string,
    send: (token: string) => Promise<Payment>,
  ): Promise<Payment> {
    try {
      return await send(psuToken);
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
    }
    return this.tpp.withAccessToken(http, send);
  }

  /** Reads the status, and the report of a file, until every payment has its final state. */
  watch(run: PaymentRun): void {
    if (run.state !== 'Paid' || this.#busy.has(run.id)) return;
    // oxlint-disable-next-line typescript/no-floating-promises -- the page shows how it goes
    void this.#step(run, 'Paid', async (http) => {
      const payments = await this.tpp.payments(http, run);
      for (let look = 0; look < mostLooks && run.state === 'Paid'; look += 1) {
        await this.#look(run, http, payments);
        if (run.state === 'Paid') await sleep(lookMilliseconds, undefined, { signal: this.#stop.signal });
      }
    });
  }

  async #look(run: PaymentRun, http: HttpsClient, payments: PaymentsClient): Promise<void> {
    if (run.payment === undefined) return;
    const id = idOf(run.payment);
    const before = [run.payment.Data.Status, ...run.statuses].join();
    const send = <Answer>(use: (token: string) => Promise<Answer>) => this.tpp.withAccessToken(http, use);
    run.payment = await send((token) => payments.readPayment(token, id));
    const { Status: status } = run.payment.Data;
    run.statuses = [status];
    if (run.kind === 'file-payment') {
      const report = await send((token) => payments.readReportFile(token, id));
      run.statuses = report.Data.DomesticPayments.map(({ Status }) => Status);
    }
    const after = [status, ...run.statuses];
    const isOpen = after.some((each) => versionWords[run.version].open.includes(each));
    if (!isOpen && run.kind === 'domestic-payment' && versionWords[run.version].notMade.includes(status)) {
      const { Data } = await send((token) => payments.readDetails(token, id));
      const { StatusReason, StatusReasonDescription = StatusReason } = Data.PaymentStatus[0]?.StatusDetail ?? {};
      run.reason = StatusReasonDescription;
    }
    if (!isOpen) run.state = 'Done';
    if (before !== after.join() || !isOpen) this.onChange(run);
  }

  /** One step of a run at a time: a second press of a button waits for the first. */
  async #step(run: PaymentRun, from: PaymentRun['state'], work: (http: HttpsClient) => Promise<void>): Promise<void> {
    const busy = this.#busy.get(run.id);
    if (busy !== undefined) return busy;
    if (run.state !== from) return undefined;
    const step = this.#work(run, work).finally(() => this.#busy.delete(run.id));
    this.#busy.set(run.id, step);
    return step;
  }

  async #work(run: PaymentRun, work: (http: HttpsClient) => Promise<void>): Promise<void> {
    run.problem = undefined;
    let last: string | undefined;
    const http = await this.tpp.connect((exchange) => {
      noteExchange(run, exchange);
      last = run.exchanges.at(-1)?.interactionId;
    });
    try {
      await work(http);
    } catch (error) {
      if (!this.#stop.signal.aborted) run.problem = { message: messageOf(error), interactionId: last };
    } finally {
      http.close();
      this.onChange(run);
    }
  }
}

function consentIdOf({ consent }: PaymentRun): string {
  if (consent === undefined) throw new JourneyError('there is no consent');
  return consent.Data.ConsentId;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const sentence = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`.slice(0, 500);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
