import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { aConsentRequest, aPaymentRequest, anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile, type TestPaymentFile } from '../../support/a-payment-file.js';
import type { TestTpp } from '../../support/a-tpp.js';
import type { TestResponse } from '../../support/https-request.js';
import type { Random } from './random.js';

/** Alice of the sandbox's bank, and the account she pays from. */
const psuId = '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a01';
export const debtorIdentification = '20000112345678';
const debtorAccount = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: debtorIdentification };

/** A file payment that the service has acknowledged. */
export interface AcknowledgedPayment {
  filePaymentId: string;
  consentId: string;
  /** decimal texts, in file order */
  amounts: readonly string[];
  controlSum: string;
}

/** A TPP that makes file payments and repeats every request, under the same key, until it has an answer. */
export class StubbornTpp {
  readonly #tpp: TestTpp;
  readonly #database: Pool;
  readonly #random: Random;
  readonly acknowledged: AcknowledgedPayment[] = [];
  /** answers and failures that made it ask again */
  repeats = 0;

  constructor(tpp: TestTpp, database: Pool, random: Random) {
    this.#tpp = tpp;
    this.#database = database;
    this.#random = random;
  }

  /** Makes one file payment after the other until told to stop; one that has begun is made to the end. */
  async payUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) this.acknowledged.push(await this.#pay());
  }

  /** GET until there is an answer. */
  async read(path: string): Promise<Record<string, unknown>> {
    const response = await this.#insist(() => this.#tpp.get(path), 200);
    return response.json()['Data'] as Record<string, unknown>;
  }

  async #pay(): Promise<AcknowledgedPayment> {
    const run = randomUUID().slice(0, 13);
    const amounts = Array.from({ length: this.#random.between(1, 25) }, () => this.#amount());
    // However few files a slow machine gets done, the bank has something to report later.
    if (this.acknowledged.length === 0) amounts.push('1.98');
    const file = aPaymentFile({
      payments: amounts.length,
      item: (index) => ({
        EndToEndIdentification: `${run}-${index}`,
        InstructedAmount: { Amount: amounts[index], Currency: 'GBP' },
      }),
    });
    const instrument = {
      LocalInstrument: this.#random.pick(['UK.OBIE.FPS', 'UK.OBIE.CHAPS', 'UK.OBIE.BalanceTransfer']),
    };
    const consentId = await this.#stage(file, instrument);
    const upload = this.#withKey();
    await this.#insist(() => this.#tpp.upload(consentId, file, upload), 200);
    await this.#authorise(consentId);
    const body = aPaymentRequest(consentId, anInitiation(file, instrument));
    const pay = this.#withKey();
    const paid = await this.#insist(() => this.#tpp.post('/file-payments', body, pay), 201);
    const { FilePaymentId } = paid.json()['Data'] as { FilePaymentId: string };
    return { filePaymentId: FilePaymentId, consentId, amounts, controlSum: file.controlSum };
  }

  /** Most settle, some are rejected (.99), held for a while (.98) or not posted (.97). */
  #amount(): string {
    const pence = this.#random.next() < 0.3 ? this.#random.pick([97, 98, 99]) : this.#random.between(10, 96);
    return `${this.#random.between(1, 50)}.${pence}`;
  }

  async #stage(file: TestPaymentFile, initiation: Record<string, unknown>): Promise<string> {
    const body = aConsentRequest({ file, initiation });
    const key = this.#withKey();
    const staged = await this.#insist(() => this.#tpp.post('/file-payment-consents', body, key), 201);
    return (staged.json()['Data'] as { ConsentId: string }).ConsentId;
  }

  /** What the customer's pages do in the end: the pages have tests of their own. */
  async #authorise(consentId: string): Promise<void> {
    await this.#insist(async () => {
      await this.#database.query(
        `UPDATE file_payment_consents SET status = 'Authorised', status_updated_at = now(), authorised_at = now(), psu_id = $2,
           debtor_account = $3, approvals_required = 1 WHERE consent_id = $1 AND status = 'AwaitingAuthorisation'`,
        [consentId, psuId, JSON.stringify(debtorAccount)],
      );
      return undefined;
    });
  }

  #withKey() {
    return { headers: { 'x-idempotency-key': randomUUID() } };
  }

  /** @throws Error for an answer that neither is the right one nor says that something broke */
  async #insist<Answer extends TestResponse | undefined>(ask: () => Promise<Answer>, status?: number): Promise<Answer> {
    for (;;) {
      const { answer } = await ask().then(
        (given) => ({ answer: { given } }),
        () => ({ answer: undefined }),
      );
      if (answer !== undefined && (answer.given === undefined || answer.given.status === status)) return answer.given;
      if (answer?.given !== undefined && answer.given.status < 500) {
        throw new Error(`${answer.given.status} instead of ${status}: ${answer.given.text}`);
      }
      this.repeats += 1;
      await sleep(this.#random.between(20, 120));
    }
  }
}
