import { createHash, randomUUID } from 'node:crypto';
import type { BankUnderTest } from './bank-under-test.js';

/** A customer of the bank, with fixed secrets, and somebody to pay. */
export interface TestCustomer {
  readonly username: string;
  readonly password: string;
  readonly oneTimeCode: string;
  /** sort code and account number */
  readonly payee: string;
}

interface Account {
  readonly schemeName: string;
  readonly identification: string;
}

/** An earlier step did not learn what this one needs. */
export class NotReachedError extends Error {
  override readonly name = 'NotReachedError';
}

/** What the steps have learnt. */
export class Scenario {
  readonly #learnt = new Map<string, unknown>();
  /** the file that is paid, and its two payments */
  readonly filePaymentId = randomUUID();
  readonly paymentIds = [newPaymentId(), newPaymentId()] as const;

  constructor(
    readonly bank: BankUnderTest,
    readonly customer: TestCustomer,
  ) {}

  learn(name: string, value: unknown): void {
    this.#learnt.set(name, value);
  }

  /** @throws NotReachedError */
  #known<Value>(name: string): Value {
    if (!this.#learnt.has(name)) throw new NotReachedError(`needs the ${name} of an earlier step`);
    return this.#learnt.get(name) as Value;
  }

  get psuId(): string {
    return this.#known('customer');
  }

  get account(): Account {
    return this.#known('account');
  }

  /** a code that is not the customer's */
  get wrongCode(): string {
    return this.customer.oneTimeCode.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  }

  /** in pence, before anything was reserved */
  get availableBefore(): bigint {
    return this.#known('available balance');
  }

  /** the batch of the paid file */
  get batch(): Batch {
    return this.#known('approved file');
  }

  /** @throws NotReachedError if the payments have not been handed over */
  assertPaid(): void {
    this.#known('payments');
  }

  binding(changes: Partial<Binding> = {}): Binding {
    const { schemeName, identification } = this.account;
    return {
      purpose: 'Payment',
      psuId: this.psuId,
      interactionId: randomUUID(),
      fileId: randomUUID(),
      total: '2.00',
      currency: 'GBP',
      numberOfPayments: 2,
      payeesHash: createHash('sha256').update(randomUUID()).digest('base64url'),
      debtorAccount: { schemeName, identification },
      tpp: { clientName: 'Bank check', organisationName: 'Bank check', organisationId: 'bank-check' },
      ...changes,
    };
  }

  async start(binding: Binding): Promise<string> {
    const { body } = await this.bank.ask('startChallenge', { body: binding }, { status: 200 });
    return String(body['challengeId']);
  }

  /** The customer approves a file with a code. */
  async approve(changes: Partial<Binding> = {}): Promise<Batch> {
    const binding = this.binding(changes);
    const challengeId = await this.start(binding);
    await this.bank.ask('verifyChallenge', this.verification(challengeId, binding), { status: 200 });
    return toBatch(binding, [challengeId]);
  }

  verification(challengeId: string, binding: object, oneTimeCode = this.customer.oneTimeCode) {
    return { parameters: { challengeId }, body: { oneTimeCode, binding } };
  }

  payment(position: 0 | 1, changes: object = {}) {
    const paymentId = this.paymentIds[position];
    return {
      paymentId,
      filePaymentId: this.filePaymentId,
      debtorAccount: this.batch.debtorAccount,
      creditorAccount: { ...payeeAccount(this.customer), name: 'Bank Check' },
      amount: '1.00',
      currency: 'GBP',
      localInstrument: 'UK.OBIE.FPS',
      endToEndIdentification: `CHECK-${position}`,
      reference: 'BANK CHECK',
      ...changes,
    };
  }
}

/** The answer to wrong credentials. */
export const invalidCredentials = { status: 401, members: { reason: 'InvalidCredentials' } } as const;

interface Binding {
  readonly purpose: 'Payment';
  readonly psuId: string;
  readonly interactionId: string;
  readonly fileId: string;
  readonly total: string;
  readonly currency: string;
  readonly numberOfPayments: number;
  readonly payeesHash: string;
  readonly debtorAccount: Account;
  readonly tpp: object;
}

export type Batch = ReturnType<typeof toBatch>;

export function toBatch(binding: Binding, challengeIds: readonly string[]) {
  const { fileId, psuId, debtorAccount, total, currency, numberOfPayments, payeesHash } = binding;
  const localInstrument = 'UK.OBIE.FPS';
  return { fileId, psuId, debtorAccount, total, currency, numberOfPayments, payeesHash, challengeIds, localInstrument };
}

export function payeeAccount({ payee }: TestCustomer): Account {
  return { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: payee };
}

export function newPaymentId(): string {
  return randomUUID().replaceAll('-', '');
}

/** @returns headers of a request that may be repeated */
export const keyed = (key: string, attempt?: number) => ({
  'idempotency-key': key,
  ...(attempt !== undefined && { 'x-hand-over-attempt': String(attempt) }),
});

export interface Step {
  readonly operation: string;
  readonly title: string;
  readonly run: (scenario: Scenario) => Promise<void>;
}

export const step = (operation: string, title: string, run: Step['run']): Step => ({ operation, title, run });
