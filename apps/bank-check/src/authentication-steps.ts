import { randomUUID } from 'node:crypto';
import { BankFault } from './bank-under-test.js';
import { findAccount } from './find-account.js';
import { invalidCredentials, step, type Step } from './scenario.js';

const mostFailures = 5;
const longestSeconds = 900;
const used = { status: 409, members: { reason: 'Used' } } as const;

/** Sign-in and accounts. */
const signInSteps: readonly Step[] = [
  step('verifyPassword', 'takes the right password', async (scenario) => {
    const { username, password } = scenario.customer;
    const { body } = await scenario.bank.ask('verifyPassword', { body: { username, password } }, { status: 200 });
    scenario.learn('customer', body['psuId']);
  }),
  step('verifyPassword', 'answers nobody without a client certificate', ({ bank, customer: { username, password } }) =>
    bank.askAsStranger('verifyPassword', { username, password }),
  ),
  step(
    'verifyPassword',
    'refuses a wrong password, and an unknown user name in the same words',
    async ({ bank, customer: { username, password } }) => {
      await bank.ask('verifyPassword', { body: { username, password: randomUUID() } }, invalidCredentials);
      await bank.ask('verifyPassword', { body: { username: randomUUID(), password } }, invalidCredentials);
    },
  ),
  step('verifyPassword', 'locks a user name after five failures in a row, also an unknown one', async ({ bank }) => {
    const body = { username: randomUUID(), password: randomUUID() };
    for (let failure = 0; failure < mostFailures; failure += 1) {
      const { status } = await bank.ask('verifyPassword', { body }, { status: [401, 423] });
      if (status === 423) return;
    }
    await bank.ask('verifyPassword', { body }, { status: 423, members: { reason: 'Locked' } });
  }),
  step('findPaymentAccounts', 'names a GBP account from which the customer alone can pay 2.00', async (scenario) => {
    const { schemeName, identification, available } = await findAccount(scenario);
    scenario.learn('account', { schemeName, identification });
    scenario.learn('available balance', available);
  }),
];

/** Challenges, each bound to its file. */
const challengeSteps: readonly Step[] = [
  step('startChallenge', 'asks the customer, for at most fifteen minutes', async (scenario) => {
    const { body } = await scenario.bank.ask('startChallenge', { body: scenario.binding() }, { status: 200 });
    const seconds = (Date.parse(String(body['expiresAt'])) - Date.now()) / 1_000;
    if (seconds <= 0 || seconds > longestSeconds) throw new BankFault(`expiresAt is ${Math.round(seconds)} s ahead`);
  }),
  step('findChallenge', 'tells that a challenge waits, and knows no other', async (scenario) => {
    const challengeId = await scenario.start(scenario.binding());
    const { bank } = scenario;
    await bank.ask('findChallenge', { parameters: { challengeId } }, { status: 200, members: { status: 'Pending' } });
    await bank.ask('findChallenge', { parameters: { challengeId: 'unknown' } }, { status: 404 });
  }),
  step(
    'verifyChallenge',
    'refuses a wrong code, then takes the right one with the members of the binding in another order',
    async (scenario) => {
      const binding = scenario.binding();
      const challengeId = await scenario.start(binding);
      const { bank } = scenario;
      const wrong = scenario.verification(challengeId, binding, scenario.wrongCode);
      await bank.ask('verifyChallenge', wrong, invalidCredentials);
      const turned = scenario.verification(challengeId, reversed(binding));
      const { body } = await bank.ask('verifyChallenge', turned, { status: 200 });
      const seconds = (Date.now() - Date.parse(String(body['authenticatedAt']))) / 1_000;
      if (Math.abs(seconds) > longestSeconds) throw new BankFault(`authenticatedAt is ${Math.round(seconds)} s ago`);
      await bank.ask('verifyChallenge', scenario.verification(challengeId, binding), used);
    },
  ),
  step('verifyChallenge', 'uses a challenge up once, however many calls arrive together', async (scenario) => {
    const binding = scenario.binding();
    const challengeId = await scenario.start(binding);
    const { bank } = scenario;
    const call = scenario.verification(challengeId, binding);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => bank.ask('verifyChallenge', call, { status: [200, 409] })),
    );
    const taken = answers.filter(({ status }) => status === 200).length;
    if (taken !== 1) throw new BankFault(`${taken} of 5 calls used it up, must be 1`);
  }),
  ...(
    [
      ['another total', { total: '2.01' }],
      ['other payees', { payeesHash: 'A'.repeat(43) }],
      [
        'another account',
        { debtorAccount: { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '00000000000000' } },
      ],
    ] as const
  ).map(([what, change]) =>
    step('verifyChallenge', `refuses ${what} than at the start, and then the right values too`, async (scenario) => {
      const binding = scenario.binding();
      const challengeId = await scenario.start(binding);
      const otherValues = { status: 409, members: { reason: 'OtherValues' } };
      const changed = scenario.verification(challengeId, { ...binding, ...change });
      await scenario.bank.ask('verifyChallenge', changed, otherValues);
      await scenario.bank.ask('verifyChallenge', scenario.verification(challengeId, binding), { status: 409 });
    }),
  ),
  step('verifyChallenge', 'knows no other challenge', async (scenario) => {
    await scenario.bank.ask('verifyChallenge', scenario.verification('unknown', scenario.binding()), { status: 404 });
  }),
];

export const authenticationSteps: readonly Step[] = [...signInSteps, ...challengeSteps];

/** @returns the same JSON value as another text */
function reversed(value: object): object {
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, typeof member === 'object' ? reversed(member as object) : member]),
  );
}
