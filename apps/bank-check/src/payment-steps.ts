import { randomUUID } from 'node:crypto';
import { BankFault } from './bank-under-test.js';
import { findAccount } from './find-account.js';
import { keyed, newPaymentId, toBatch, step, type Step } from './scenario.js';

const accepted = { status: 200, members: { decision: 'Accepted' } } as const;
const notApproved = { status: 200, members: { decision: 'Refused', reason: 'NotApproved' } } as const;
const stale = { status: 409, members: { reason: 'StaleAttempt' } } as const;
const reused = { status: 409, members: { reason: 'IdempotencyKeyReused' } } as const;
const refused = { status: [400, 422] } as const;

/** Number of the attempt; a lower one is stale. */
const attempt = 2;

const reservationSteps: readonly Step[] = [
  step('reserveBatch', 'reserves nothing without a challenge that was used up', async (scenario) => {
    const binding = scenario.binding();
    for (const challengeId of ['unknown', await scenario.start(binding)]) {
      const body = toBatch(binding, [challengeId]);
      await scenario.bank.ask('reserveBatch', { body, headers: keyed(randomUUID(), attempt) }, notApproved);
    }
  }),
  step('reserveBatch', 'reserves nothing but what the challenge was bound to', async (scenario) => {
    const { bank } = scenario;
    const approved = await scenario.approve();
    const changes = [
      { total: '1.99' },
      { fileId: randomUUID() },
      { payeesHash: 'A'.repeat(43) },
      { numberOfPayments: 3 },
    ];
    for (const change of changes) {
      const call = { body: { ...approved, ...change }, headers: keyed(randomUUID(), attempt) };
      await bank.ask('reserveBatch', call, notApproved);
    }
  }),
  step('reserveBatch', 'reserves no more than there is', async (scenario) => {
    const body = await scenario.approve({ total: '9999999999999.00' });
    const tooLittle = { status: 200, members: { decision: 'Refused', reason: 'InsufficientFunds' } };
    await scenario.bank.ask('reserveBatch', { body, headers: keyed(randomUUID(), attempt) }, tooLittle);
  }),
  step('reserveBatch', 'refuses for good what is not an amount', async (scenario) => {
    const { bank } = scenario;
    const body = { ...toBatch(scenario.binding(), ['unknown']), total: '2,00' };
    await bank.ask('reserveBatch', { body, headers: keyed(randomUUID(), attempt), isInvalid: true }, refused);
  }),
  step(
    'reserveBatch',
    'reserves an approved file, and repeats the decision to calls that arrive together',
    async (scenario) => {
      const body = await scenario.approve();
      const call = { body, headers: keyed(scenario.filePaymentId, attempt) };
      await scenario.bank.ask('reserveBatch', call, accepted);
      scenario.learn('approved file', body);
      await Promise.all([1, 2, 3].map(() => scenario.bank.ask('reserveBatch', call, accepted)));
    },
  ),
  step('reserveBatch', 'refuses another file with the same idempotency key', async ({ bank, batch, filePaymentId }) => {
    const body = { ...batch, total: '1.00' };
    await bank.ask('reserveBatch', { body, headers: keyed(filePaymentId, attempt) }, reused);
  }),
  step('reserveBatch', 'repeats the decision to the same file approved anew', async (scenario) => {
    const { fileId, payeesHash } = scenario.batch;
    const body = await scenario.approve({ fileId, payeesHash });
    await scenario.bank.ask('reserveBatch', { body, headers: keyed(scenario.filePaymentId, attempt) }, accepted);
  }),
  step('reserveBatch', 'refuses an older attempt', async ({ bank, batch, filePaymentId }) => {
    await bank.ask('reserveBatch', { body: batch, headers: keyed(filePaymentId, attempt - 1) }, stale);
  }),
];

const handOverSteps: readonly Step[] = [
  step('handOverPayment', 'refuses a payment of a file that it has not reserved', async (scenario) => {
    const body = scenario.payment(0, { paymentId: newPaymentId(), filePaymentId: randomUUID() });
    await scenario.bank.ask('handOverPayment', { body, headers: keyed(body.paymentId, attempt) }, refused);
  }),
  step('handOverPayment', 'refuses an older attempt', async (scenario) => {
    const body = scenario.payment(0);
    await scenario.bank.ask('handOverPayment', { body, headers: keyed(body.paymentId, attempt - 1) }, stale);
  }),
  step('handOverPayment', 'refuses for good what is not an amount', async (scenario) => {
    const body = scenario.payment(0, { paymentId: newPaymentId(), amount: '1,00' });
    const call = { body, headers: keyed(body.paymentId, attempt), isInvalid: true } as const;
    await scenario.bank.ask('handOverPayment', call, refused);
  }),
  step('handOverPayment', 'takes a payment, and repeats the answer to calls that arrive together', async (scenario) => {
    for (const position of [0, 1] as const) {
      const body = scenario.payment(position);
      const call = { body, headers: keyed(body.paymentId, attempt) };
      await scenario.bank.ask('handOverPayment', call, { status: 200 });
      await Promise.all([1, 2, 3].map(() => scenario.bank.ask('handOverPayment', call, { status: 200 })));
    }
    scenario.learn('payments', true);
  }),
  step('handOverPayment', 'refuses another payment with the same idempotency key', async (scenario) => {
    const body = scenario.payment(0, { amount: '0.50' });
    await scenario.bank.ask('handOverPayment', { body, headers: keyed(body.paymentId, attempt) }, reused);
  }),
  step('handOverPayment', 'refuses a payment above what is left of the reservation', async (scenario) => {
    scenario.assertPaid();
    const body = scenario.payment(0, { paymentId: newPaymentId() });
    await scenario.bank.ask('handOverPayment', { body, headers: keyed(body.paymentId, attempt) }, refused);
  }),
  step('findPaymentAccounts', 'has moved the money once, however often it was asked', async (scenario) => {
    const { available } = await findAccount(scenario);
    const moved = scenario.availableBefore - available;
    scenario.assertPaid();
    if (moved !== 200n) throw new BankFault(`${moved} pence are gone, must be 200`);
  }),
  step('findPayment', 'knows each payment that it has, and no other', async (scenario) => {
    const { bank } = scenario;
    scenario.assertPaid();
    for (const paymentId of scenario.paymentIds) {
      await bank.ask('findPayment', { parameters: { paymentId } }, { status: 200 });
    }
    await bank.ask('findPayment', { parameters: { paymentId: newPaymentId() } }, { status: 404 });
  }),
];

const bookSteps: readonly Step[] = [
  step('findPaymentsOfFile', 'has each payment of the file once, and knows no other file', async (scenario) => {
    const { bank, filePaymentId, paymentIds } = scenario;
    scenario.assertPaid();
    const { body } = await bank.ask('findPaymentsOfFile', { parameters: { filePaymentId } }, accepted);
    const found = (body['payments'] as readonly { paymentId: string }[]).map(({ paymentId }) => paymentId);
    if (found.toSorted().join() !== paymentIds.toSorted().join()) {
      throw new BankFault(`the book has ${found.length} payments, must have the two of the file`);
    }
    const unknown = { status: 200, members: { decision: 'Unknown', payments: [] } };
    await bank.ask('findPaymentsOfFile', { parameters: { filePaymentId: randomUUID() } }, unknown);
  }),
  step('fenceBatch', 'shuts out older attempts', async (scenario) => {
    const { bank, batch, filePaymentId } = scenario;
    const parameters = { filePaymentId };
    await bank.ask('fenceBatch', { parameters, headers: keyed(filePaymentId, attempt + 3) }, { status: 204 });
    await bank.ask('reserveBatch', { body: batch, headers: keyed(filePaymentId, attempt + 2) }, stale);
    const body = scenario.payment(0, { paymentId: newPaymentId() });
    await bank.ask('handOverPayment', { body, headers: keyed(body.paymentId, attempt + 2) }, stale);
  }),
];

/** Reservation, hand-over, repeats, attempts. */
export const paymentSteps: readonly Step[] = [...reservationSteps, ...handOverSteps, ...bookSteps];
