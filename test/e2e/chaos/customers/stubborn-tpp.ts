import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  aConsentRequest,
  aPaymentRequest,
  anInitiation,
  type Members,
  toJson,
} from '../../../support/a-consent-request.js';
import type { ApiVersion } from '../../../support/a-payment-file.js';
import { type AuthorisedConsent, aTpp, TestTpp } from '../../../support/a-tpp.js';
import { httpsRequest, type TestResponse } from '../../../support/https-request.js';
import type { Random } from '../random.js';
import type { ChaosWorld } from '../world/chaos-world.js';
import { Customers, type Verdict } from './customers.js';
import { anInitiation as aDomesticInitiation } from '../../domestic-payments/domestic-world.js';
import { accountOf, anOrder, kinds, type Order } from './order.js';

type Data = Readonly<Record<string, unknown>>;

/**
 * The states of v4.0 by their names in v3.1; PDNG is that of a file payment and of its payments, which have other names
 * there.
 */
const states: Readonly<Record<string, string>> = {
  AWUP: 'AwaitingUpload',
  AWAU: 'AwaitingAuthorisation',
  AUTH: 'Authorised',
  COND: 'Consumed',
  RJCT: 'Rejected',
  RCVD: 'Pending',
  PATC: 'Pending',
  INCO: 'InitiationCompleted',
  INFA: 'InitiationFailed',
  ACSP: 'AcceptedSettlementInProcess',
  ACSC: 'AcceptedSettlementCompleted',
  ACWP: 'AcceptedWithoutPosting',
  ACCC: 'AcceptedCreditSettlementCompleted',
};

/** @returns Data of an answer with all its states as v3.1 names them */
function inCommonWords(version: ApiVersion, data: Data): Record<string, unknown> {
  if (version === '3.1') return { ...data };
  const renamed = Object.entries(data).map(([name, value]) => {
    if (name === 'Status') return [name, nameOf(value, 'InitiationPending')];
    const isList = (name === 'PaymentStatus' || name === 'DomesticPayments') && Array.isArray(value);
    return [name, isList ? (value as Data[]).map(ofPayment) : value];
  });
  return Object.fromEntries(renamed) as Record<string, unknown>;
}

function ofPayment(payment: Data): Data {
  return { ...payment, Status: nameOf(payment['Status'], 'Pending') };
}

/** @returns an unknown state unchanged, which the rules then report */
function nameOf(status: unknown, pending: string): unknown {
  return status === 'PDNG' ? pending : (states[String(status)] ?? status);
}

/** A payment that the service has acknowledged. */
export interface AcknowledgedPayment extends Order {
  readonly filePaymentId: string;
  readonly consentId: string;
  readonly clientId: string;
  /** of the second approver, who may have seen nothing */
  verdict?: Verdict;
}

/** The states of a payment that a TPP saw before its end. */
export interface Sighting {
  readonly filePaymentId: string;
  /** of a file; that of a single payment is among the next */
  readonly status?: string;
  /** of each payment, by its id */
  readonly states: Readonly<Record<string, string>>;
}

/** What a customer comes back with. */
type Arrival = Pick<AuthorisedConsent, 'location' | 'request'>;

/** Body of both POSTs for a single payment. */
const aDomesticRequest = (Initiation: Members, data: Members): string =>
  toJson({ Data: { Initiation, ...data }, Risk: {} });

const patienceMilliseconds = 4_000;
const mostAttempts = 2_000;

/** A TPP that makes payments of both kinds and repeats every request, under the same key, until it has an answer. */
export class StubbornTpp {
  readonly #random: Random;
  readonly #index: number;
  readonly #customers: Customers;
  #tpp: TestTpp;
  #wantsToLeave = false;
  readonly acknowledged: AcknowledgedPayment[] = [];
  readonly sightings: Sighting[] = [];
  /** consents that the customer declined */
  readonly declined: string[] = [];
  /** refusals without a reason that the TPP could know */
  readonly refusals: string[] = [];
  /** answers and failures that made it repeat a request */
  repeats = 0;
  /** completed orders */
  finished = 0;

  private constructor(
    private readonly world: ChaosWorld,
    options: { tpp: TestTpp; random: Random; index: number },
  ) {
    this.#tpp = options.tpp;
    this.#random = options.random;
    this.#index = options.index;
    this.#customers = new Customers(world.access, world.bank);
  }

  /** @param index which of the sandbox's TPPs it is */
  static async enrol(world: ChaosWorld, random: Random, index: number): Promise<StubbornTpp> {
    return new StubbornTpp(world, { tpp: await aTpp(world.access, { index }), random, index });
  }

  get clientId(): string {
    return this.#tpp.clientId;
  }

  /** Makes it delete its registration before its next payment, and register as a new client. */
  leaveSoon(): void {
    this.#wantsToLeave = true;
  }

  close(): void {
    this.#tpp.close();
  }

  /** Makes one payment after the other until told to stop; completes the current one. */
  async payUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#turn().catch((error: unknown) => this.refusals.push(String(error)));
  }

  async #turn(): Promise<void> {
    await this.#pay();
    this.finished += 1;
    await this.#look();
    if (this.#wantsToLeave && !this.world.history.isSuspended(this.clientId)) await this.#leave();
  }

  /** GET until there is an answer, in the version of an order. */
  async read(
    { version }: Pick<Order, 'version'>,
    path: string,
    attempts = mostAttempts,
  ): Promise<Record<string, unknown>> {
    const response = await this.#insist(() => this.#in(version).get(path), [200], attempts);
    return inCommonWords(version, response.json()['Data'] as Record<string, unknown>);
  }

  /** The client for one version. */
  #in(version: ApiVersion): TestTpp {
    return new TestTpp({ ...this.#tpp, version });
  }

  async #pay(): Promise<void> {
    const order = anOrder(this.#random, { isFirst: this.acknowledged.length === 0, versions: ['3.1', '4.0'] });
    const { file } = order;
    const { payments, paymentId } = kinds[order.kind];
    const consentId = await this.#stage(order);
    const upload = this.#withKey();
    if (file) await this.#insist(() => this.#in(order.version).upload(consentId, file, upload), [200]);
    const { status, arrival } = await this.#decide(order, consentId);
    if (status !== 'Authorised') {
      if (order.conduct === 'declines') this.declined.push(consentId);
      return;
    }
    const token = await this.#tokenOf(order, arrival);
    if (token === 'lost') return;
    const initiation = this.#initiation(order);
    const body = file ? aPaymentRequest(consentId, initiation) : aDomesticRequest(initiation, { ConsentId: consentId });
    const pay = { ...this.#withKey(), ...token };
    const paid = await this.#insist(() => this.#in(order.version).post(payments, body, pay), [201]);
    const filePaymentId = (paid.json()['Data'] as Record<string, string>)[paymentId] ?? '';
    const payment: AcknowledgedPayment = { ...order, filePaymentId, consentId, clientId: this.clientId };
    this.acknowledged.push(payment);
    await this.#decideFurther(payment);
  }

  #initiation({ file, version, names, amounts, localInstrument: LocalInstrument }: Order): Members {
    if (file) return anInitiation(file, { LocalInstrument });
    return aDomesticInitiation(version, {
      EndToEndIdentification: names[0],
      InstructedAmount: { Amount: amounts[0], Currency: 'GBP' },
      LocalInstrument,
    });
  }

  /**
   * A single payment needs the token of its approval, which the customer brings once: if the bank breaks then, the TPP
   * gives the payment up.
   */
  async #tokenOf({ kind }: Order, arrival: Arrival | undefined): Promise<{ accessToken?: string } | 'lost'> {
    if (kind === 'file') return {};
    if (arrival === undefined) return 'lost';
    const consent = { consentId: '', initiation: {}, ...arrival };
    return this.#tpp.exchangeCode(consent).then(
      (accessToken) => ({ accessToken }),
      () => 'lost' as const,
    );
  }

  async #stage(order: Order): Promise<string> {
    const key = this.#withKey();
    const deadline = new Date(Date.now() + order.approvalSeconds * 1_000).toISOString();
    const data = { Authorisation: { AuthorisationType: 'Any', CompletionDateTime: deadline } };
    const initiation = this.#initiation(order);
    const body = order.file
      ? aConsentRequest({ file: order.file, initiation, data })
      : aDomesticRequest(initiation, data);
    const { consents } = kinds[order.kind];
    const staged = await this.#insist(() => this.#in(order.version).post(consents, body, key), [201]);
    return (staged.json()['Data'] as { ConsentId: string }).ConsentId;
  }

  /** The customer goes through the pages, and starts again if they break. */
  async #decide(order: Order, consentId: string): Promise<{ status: unknown; arrival: Arrival | undefined }> {
    const accountName = accountOf(order).name;
    const who = accountName === 'Archer Payroll' ? 'alice' : 'bob';
    const button = order.conduct === 'declines' ? 'decline' : 'approve';
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const answer = { who, button, accountName } as const;
      const arrival = await this.#customers.decide(this.#tpp, consentId, answer).catch(() => this.#pause());
      const { Status: status } = await this.read(order, `${kinds[order.kind].consents}/${consentId}`);
      if (status !== 'AwaitingAuthorisation') return { status, arrival };
    }
    throw new Error(`The customer's pages never came to an end for ${consentId}.`);
  }

  async #decideFurther(payment: AcknowledgedPayment): Promise<void> {
    if (payment.conduct !== 'both-pay' && payment.conduct !== 'second-declines') return;
    const button = payment.conduct === 'both-pay' ? 'approve' : 'decline';
    for (let attempt = 0; payment.verdict === undefined && attempt < mostAttempts; attempt += 1) {
      await this.#customers.decideFurther(payment.filePaymentId, 'carol', button).then(
        (verdict) => Object.assign(payment, { verdict }),
        () => this.#pause(),
      );
      if (await this.#hasEnded(payment)) payment.verdict ??= 'ended';
    }
  }

  /** No page asks the second approver about a payment that has ended for another reason. */
  async #hasEnded(payment: AcknowledgedPayment): Promise<boolean> {
    const { Status } = await this.read(payment, `${kinds[payment.kind].payments}/${payment.filePaymentId}`);
    return Status === 'InitiationFailed' || Status === 'Rejected';
  }

  /** Looks at an earlier payment: its state now must not contradict its final state. */
  async #look(): Promise<void> {
    const earlier = this.acknowledged.filter(({ clientId }) => clientId === this.clientId).slice(-5);
    const payment = earlier[this.#random.between(0, Math.max(earlier.length - 1, 0))];
    if (payment === undefined) return;
    const { filePaymentId, kind } = payment;
    const path = `${kinds[kind].payments}/${filePaymentId}`;
    const { Status } = await this.read(payment, path);
    const { PaymentStatus } = await this.read(payment, `${path}/payment-details`);
    const states = (PaymentStatus as { PaymentTransactionId: string; Status: string }[]).map(
      (state) => [state.PaymentTransactionId, state.Status] as const,
    );
    const ofFile = kind === 'file' ? { status: String(Status) } : {};
    this.sightings.push({ filePaymentId, ...ofFile, states: Object.fromEntries(states) });
  }

  /** Deletes its registration, and registers as a new client. */
  async #leave(): Promise<void> {
    this.#wantsToLeave = false;
    const { clientId, accessToken, agent } = this.#tpp;
    const url = `${this.world.access.description.registration_endpoint}/${clientId}`;
    const headers = { authorization: `Bearer ${accessToken}` };
    const departure = this.world.history.announce({ kind: 'left', clientId });
    // A repeated request may use a token that was removed with the client.
    await this.#insist(() => httpsRequest({ url, method: 'DELETE', headers, agent }), [204, 401]);
    departure.from = Date.now();
    this.#tpp.close();
    for (;;) {
      const returned = await aTpp(this.world.access, { index: this.#index }).catch(() => this.#pause());
      if (returned) {
        this.#tpp = returned;
        return;
      }
    }
  }

  #withKey() {
    return { headers: { 'x-idempotency-key': randomUUID() } };
  }

  async #pause(): Promise<undefined> {
    this.repeats += 1;
    await sleep(this.#random.between(20, 120));
    return undefined;
  }

  /**
   * @throws Error for an answer that neither is a right one nor says that something broke, or comes of what was done to
   * it
   */
  async #insist(
    ask: () => Promise<TestResponse>,
    statuses: readonly number[],
    attempts = mostAttempts,
  ): Promise<TestResponse> {
    for (let attempt = 0; attempt < attempts;) {
      const sentAt = Date.now();
      const answer = await Promise.race([
        ask().catch(() => undefined),
        sleep(patienceMilliseconds, undefined, { ref: false }),
      ]);
      if (answer !== undefined && statuses.includes(answer.status)) return answer;
      const isRefused = answer !== undefined && answer.status < 500;
      if (isRefused && !this.#isExcused(answer, sentAt)) {
        throw new Error(`${answer.status} instead of ${statuses.join(' or ')}: ${answer.text}`);
      }
      // The operator decides how long a client stays suspended.
      if (!isRefused) attempt += 1;
      await this.#pause();
    }
    throw new Error(`No answer ${statuses.join(' or ')} after ${attempts} attempts.`);
  }

  /** A clock that is wrong makes a signature come from the future; a client that is suspended is refused. */
  #isExcused({ status, text }: TestResponse, sentAt: number): boolean {
    const isTimeDoubtful = this.world.isTimeDoubtful(sentAt);
    if (status === 401 || status === 403) {
      return this.world.history.isSuspended(this.clientId, sentAt) || isTimeDoubtful;
    }
    return status === 400 && isTimeDoubtful && /iat|CompletionDateTime/.test(text);
  }
}
