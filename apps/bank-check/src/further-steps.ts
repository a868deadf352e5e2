import { randomUUID } from 'node:crypto';
import { BankFault } from './bank-under-test.js';
import { invalidCredentials, keyed, payeeAccount, type Scenario, step, type Step } from './scenario.js';

function askForFunds({ bank, psuId, account }: Scenario, amount: string, isAvailable: boolean): Promise<unknown> {
  const body = { consentId: randomUUID(), psuId, account, amount, currency: 'GBP' };
  return bank.ask('checkFunds', { body }, { status: 200, members: { isAvailable } });
}

/** @throws BankFault if the answers are not as many as the questions */
function assertOneEach(answers: unknown, questions: number): void {
  const count = Array.isArray(answers) ? answers.length : 0;
  if (count !== questions) throw new BankFault(`${count} answers about ${questions} payees`);
}

/** Operations that paying a file does not need. */
export const furtherSteps: readonly Step[] = [
  step(
    'verifyOneTimeCode',
    'refuses a wrong code and takes the right one',
    async ({ bank, psuId, wrongCode, customer: { oneTimeCode } }) => {
      await bank.ask('verifyOneTimeCode', { body: { psuId, oneTimeCode: wrongCode } }, invalidCredentials);
      await bank.ask('verifyOneTimeCode', { body: { psuId, oneTimeCode } }, { status: 200 });
    },
  ),
  step('findPsuState', 'tells that the customer is active, and an unknown one closed', async ({ bank, psuId }) => {
    const active = { status: 200, members: { state: 'Active' } };
    await bank.ask('findPsuState', { parameters: { psuId } }, active);
    const closed = { status: 200, members: { state: 'Closed' } };
    await bank.ask('findPsuState', { parameters: { psuId: randomUUID() } }, closed);
  }),
  step('checkFunds', 'says yes to 0.01 and no to more than there can be', async (scenario) => {
    await askForFunds(scenario, '0.01', true);
    await askForFunds(scenario, '9999999999999.00', false);
  }),
  step('checkPayeeNames', 'has one result for each payee', async ({ bank, psuId, customer }) => {
    const payees = ['Acme Ltd', 'Other Ltd'].map((name) => ({ ...payeeAccount(customer), name }));
    const { body } = await bank.ask('checkPayeeNames', { body: { psuId, payees } }, { status: 200 });
    assertOneEach(body['results'], payees.length);
  }),
  step('findKnownPayees', 'has one answer for each payee', async ({ bank, psuId, customer }) => {
    const payees = [payeeAccount(customer), payeeAccount(customer)];
    const { body } = await bank.ask('findKnownPayees', { body: { psuId, payees } }, { status: 200 });
    assertOneEach(body['known'], payees.length);
  }),
  step(
    'requestApprovals',
    'notifies further approvers, or refuses for good where there is none',
    async ({ bank, psuId, batch, filePaymentId }) => {
      const { debtorAccount, total, currency, numberOfPayments } = batch;
      const body = {
        filePaymentId,
        psuId,
        debtorAccount,
        total,
        currency,
        numberOfPayments,
        requestedBy: 'Bank check',
        approvalsRequired: 2,
        approvalsReceived: 1,
        approvalsUrl: 'https://auth.example.com/approvals',
        approveBefore: new Date(Date.now() + 3_600_000).toISOString(),
      };
      await bank.ask('requestApprovals', { body, headers: keyed(filePaymentId) }, { status: [204, 400, 422] });
    },
  ),
  step('reportDecline', 'takes the reason of a decline', async ({ bank, psuId }) => {
    const body = { psuId, reason: 'ChangedMind', requestedBy: 'Bank check' };
    await bank.ask('reportDecline', { body }, { status: 204 });
  }),
];
