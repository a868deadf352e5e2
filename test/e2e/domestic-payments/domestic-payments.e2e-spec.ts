import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import type { TestResponse } from '../../support/https-request.js';
import { openTestPool } from '../../support/open-test-pool.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { errorsOf } from '../account-access/access-client.js';
import { Customers } from '../chaos/customers/customers.js';
import { dataOf, unknownId } from '../file-payments/world.js';
import { anInitiation, aRisk, consents, DomesticTpp, payments } from './domestic-world.js';

let sandbox: TestSandbox;
const tpps = new Map<string, DomesticTpp>();
let other: DomesticTpp;

beforeAll(async () => {
  sandbox = await startTestSandbox({ environment: { SHOW_DEBTOR: 'true', HOUSEKEEPING_SECONDS: '1' } });
  const tpp = await aTpp(sandbox);
  for (const version of ['3.1', '4.0'] as const) tpps.set(version, new DomesticTpp({ ...tpp, version }));
  other = new DomesticTpp(await aTpp(sandbox, { index: 1 }));
});
afterAll(async () => {
  tpps.get('3.1')?.close();
  other?.close();
  await sandbox?.stop();
});

const versions = [
  {
    version: '3.1',
    awaiting: 'AwaitingAuthorisation',
    authorised: 'Authorised',
    consumed: 'Consumed',
    first: 'Pending',
  },
  { version: '4.0', awaiting: 'AWAU', authorised: 'AUTH', consumed: 'COND', first: 'RCVD' },
] as const;

/** @returns the path of a payment */
const pathOf = (paid: TestResponse): string => `${payments}/${String(dataOf(paid)['DomesticPaymentId'])}`;

describe.each(versions)('domestic payments of $version', ({ version, awaiting, authorised, consumed, first }) => {
  const tpp = () => tpps.get(version)!;
  const code = (name: string, code40: string) => (version === '3.1' ? `UK.OBIE.${name}` : code40);
  const state = (status31: string, status40: string) => (version === '3.1' ? status31 : status40);

  it('DP-001, DP-002, DP-015, DP-020, DP-030 a consent waits for its customer at once, and shows what was sent', async () => {
    const Authorisation = { AuthorisationType: 'Any', CompletionDateTime: '2037-01-31T00:00:00+00:00' };
    const SCASupportData = { AppliedAuthenticationApproach: 'SCA', ReferencePaymentOrderId: 'x'.repeat(40) };
    const data = { ReadRefundAccount: 'Yes', Authorisation, SCASupportData };
    const staged = await tpp().consent({}, { data });
    expect(staged.status).toBe(201);
    expect(staged.headers['x-jws-signature']).toBeDefined();
    const { ConsentId, Status, ...rest } = dataOf(staged);
    expect(Status).toBe(awaiting);
    expect(rest).toMatchObject({ ...data, Initiation: anInitiation(version), Charges: [] });
    expect(rest).not.toHaveProperty('ExpectedExecutionDateTime');
    expect(staged.json()).toMatchObject({ Risk: aRisk });
    const read = await tpp().get(`${consents}/${String(ConsentId)}`);
    expect(read.json()).toEqual(staged.json());
    expect(staged.headers['location']).toBe(tpp().url(`${consents}/${String(ConsentId)}`));
  });

  it('DP-010 Risk may be empty, and is required in both requests', async () => {
    const consentId = await tpp().stage({}, { risk: {} });
    const read = await tpp().get(`${consents}/${consentId}`);
    expect(read.json()).toMatchObject({ Risk: {} });
    const without = await tpp().post(consents, JSON.stringify({ Data: { Initiation: anInitiation(version) } }));
    expect([without.status, errorsOf(without)]).toEqual([400, [`${code('Field.Missing', 'U004')} Risk`]]);
  });

  it('DP-007 other methods and a collection: 405', async () => {
    const consentId = await tpp().stage();
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await tpp().get(`${consents}/${consentId}`, { method })).status).toBe(405);
    }
    expect((await tpp().get(payments)).status).toBe(405);
  });

  it('DP-003, DP-043, DP-044, DP-045 funds are confirmed with the token of the approval while the consent is authorised', async () => {
    const consentId = await tpp().stage();
    const path = `${consents}/${consentId}/funds-confirmation`;
    expect((await tpp().get(path)).status).toBe(403);
    const approved = await tpp().approve(consentId);
    const { accessToken } = approved;
    expect(await tpp().statusOf(consentId)).toBe(authorised);
    const answer = await tpp().get(path, { accessToken });
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toEqual({
      FundsAvailableResult: { FundsAvailable: true, FundsAvailableDateTime: expect.stringMatching(/[+]00:00$/) },
    });
    const { rows } = await sandbox.database.query(
      "SELECT details FROM audit_events WHERE action = 'funds.confirmed' AND details ->> 'consentId' = $1",
      [consentId],
    );
    expect(rows).toMatchObject([{ details: { amount: '10.50', currency: 'GBP', isAvailable: true } }]);
    const another = await tpp().stage();
    const forAnother = await tpp().get(`${consents}/${another}/funds-confirmation`, { accessToken });
    expect(forAnother.status).toBe(403);
    expect((await tpp().payFor(approved)).status).toBe(201);
    const late = await tpp().get(path, { accessToken });
    expect([late.status, errorsOf(late)]).toEqual([
      400,
      [`${code('Resource.InvalidConsentStatus', 'U009')} Data.Status`],
    ]);
  });

  it('DP-043 funds are not confirmed for a consent that has expired, although nobody has noted it', async () => {
    const { consentId, accessToken } = await tpp().approve(await tpp().stage());
    await sandbox.database.query(
      "UPDATE payment_consents SET expires_at = now() - interval '1 s' WHERE consent_id = $1",
      [consentId],
    );
    const answer = await tpp().get(`${consents}/${consentId}/funds-confirmation`, { accessToken });
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      [`${code('Resource.InvalidConsentStatus', 'U009')} Data.Status`],
    ]);
  });

  it('DP-004, DP-005, DP-006, DP-021, DP-023, DP-031, DP-032, DP-033, DP-034, DP-035, DP-038 a payment is made once, and settles', async () => {
    const approved = await tpp().approve(await tpp().stage());
    const paid = await tpp().payFor(approved);
    expect({ status: paid.status, text: paid.text }).toMatchObject({ status: 201 });
    expect(paid.json()).not.toHaveProperty('Risk');
    expect(dataOf(paid)).toMatchObject({
      ConsentId: approved.consentId,
      Status: first,
      Initiation: anInitiation(version),
      Debtor: { SchemeName: 'UK.OBIE.SortCodeAccountNumber' },
    });
    for (const name of ['Refund', 'MultiAuthorisation', 'ReadRefundAccount']) {
      expect(dataOf(paid)).not.toHaveProperty(name);
    }
    expect(await tpp().statusOf(approved.consentId)).toBe(consumed);
    const path = pathOf(paid);
    const settled = state('AcceptedCreditSettlementCompleted', 'ACCC');
    await until(async () => dataOf(await tpp().get(path))['Status'] === settled);
    const { PaymentStatus } = dataOf(await tpp().get(`${path}/payment-details`));
    expect(PaymentStatus).toMatchObject([{ Status: settled }]);
    const read = dataOf(await tpp().get(path));
    expect((PaymentStatus as { StatusUpdateDateTime: string }[])[0]?.StatusUpdateDateTime).toBe(
      read['StatusUpdateDateTime'],
    );
  });

  it('DP-025, DP-026 who asked for it is told the account to refund to', async () => {
    const approved = await tpp().approve(await tpp().stage({}, { data: { ReadRefundAccount: 'Yes' } }));
    const paid = dataOf(await tpp().payFor(approved));
    const { SchemeName, Identification, Name } = paid['Debtor'] as Record<string, string>;
    expect(paid['Refund']).toEqual({ Account: { SchemeName, Identification, Name } });
  });

  it('DP-040, DP-069 a consent makes one payment, of two at the same time, too', async () => {
    const approved = await tpp().approve(await tpp().stage());
    const both = await Promise.all([tpp().payFor(approved), tpp().payFor(approved)]);
    const refused = both.find(({ status }) => status !== 201);
    expect(both.filter(({ status }) => status === 201)).toHaveLength(1);
    const wrong = code('Resource.InvalidConsentStatus', 'U029');
    expect(refused && [refused.status, errorsOf(refused)]).toEqual([
      version === '3.1' ? 400 : 409,
      [`${wrong} Data.Status`],
    ]);
  });

  it('DP-041, DP-099 Initiation and Risk are those of the consent; another one leaves it authorised', async () => {
    const approved = await tpp().approve(await tpp().stage());
    const mismatch = code('Resource.ConsentMismatch', 'U008');
    const [amount, risk, surplus] = [
      await tpp().payFor(approved, { initiation: { InstructedAmount: { Amount: '10.5', Currency: 'GBP' } } }),
      await tpp().payFor(approved, { risk: { ...aRisk, PaymentContextCode: 'TransferToSelf' } }),
      await tpp().payFor(approved, { risk: { ...aRisk, MerchantCategoryCode: '5967' } }),
    ];
    expect([amount, risk, surplus].map((each) => [each.status, ...errorsOf(each)])).toEqual([
      [400, `${mismatch} Data.Initiation.InstructedAmount.Amount`],
      [400, `${mismatch} Risk.PaymentContextCode`],
      [400, `${mismatch} Risk.MerchantCategoryCode`],
    ]);
    expect(await tpp().statusOf(approved.consentId)).toBe(authorised);
    const CreditorAccount = {
      ...(anInitiation(version)['CreditorAccount'] as object),
      SchemeName: 'SortCodeAccountNumber',
    };
    expect((await tpp().payFor(approved, { initiation: { CreditorAccount } })).status).toBe(201);
  });

  it('DP-042, DP-067, DP-096 only the token of this approval pays; another client has nothing here', async () => {
    const approved = await tpp().approve(await tpp().stage());
    const clients = await tpp().payFor({ ...approved, accessToken: tpp().accessToken });
    expect([clients.status, errorsOf(clients)[0]]).toMatchObject([403, expect.stringMatching(/Authorization$/)]);
    const another = await tpp().approve(await tpp().stage());
    expect((await tpp().payFor({ ...approved, accessToken: another.accessToken })).status).toBe(403);
    const otherOne = new DomesticTpp({ ...other, version });
    expect((await otherOne.get(`${consents}/${approved.consentId}`)).status).toBe(403);
    const path = pathOf(await tpp().payFor(approved));
    expect((await otherOne.get(path)).status).toBe(403);
  });

  it('DP-066, DP-091 unknown ids are named by the kind', async () => {
    const notFound = code('Resource.NotFound', 'U011');
    const consent = await tpp().get(`${consents}/${unknownId}`);
    const payment = await tpp().get(`${payments}/${unknownId}`);
    expect([consent, payment].map((each) => [each.status, ...errorsOf(each)])).toEqual([
      [400, `${notFound} ConsentId`],
      [400, `${notFound} DomesticPaymentId`],
    ]);
    expect(payment.text).toContain('There is no such domestic payment.');
  });

  it('DP-068 a consent that nobody approved makes no payment', async () => {
    const approved = await tpp().approve(await tpp().stage());
    await sandbox.database.query(
      "UPDATE payment_consents SET status = 'Rejected', status_reason = 'Expired' WHERE consent_id = $1",
      [approved.consentId],
    );
    const refused = await tpp().payFor(approved);
    expect([refused.status, errorsOf(refused)]).toEqual([
      400,
      [`${code('Resource.InvalidConsentStatus', 'U009')} Data.Status`],
    ]);
  });

  it('DP-051, DP-070 a key takes effect once in each operation, and is not for another body', async () => {
    const headers = { 'x-idempotency-key': randomUUID() };
    const one = await tpp().consent({}, { differences: { headers } });
    const again = await tpp().consent({}, { differences: { headers } });
    expect(again.json()).toEqual(one.json());
    const different = await tpp().consent({ InstructionIdentification: 'I-2' }, { differences: { headers } });
    expect([different.status, errorsOf(different)]).toEqual([
      version === '3.1' ? 400 : 422,
      [`${code('Rules.ResourceAlreadyExists', 'U029')} x-idempotency-key`],
    ]);
    const approved = await tpp().approve(String(dataOf(one)['ConsentId']));
    const paid = await tpp().payFor(approved, { differences: { headers } });
    const repeated = await tpp().payFor(approved, { differences: { headers } });
    expect([paid.status, pathOf(repeated)]).toEqual([201, pathOf(paid)]);
  });

  it('DP-008, DP-071, DP-072 signature and form of the body', async () => {
    const unsigned = await tpp().consent({}, { differences: { headers: { 'x-jws-signature': undefined } } });
    expect([unsigned.status, errorsOf(unsigned)]).toEqual([
      400,
      [`${code('Signature.Missing', 'U019')} x-jws-signature`],
    ]);
    const noJson = await tpp().post(consents, '{');
    expect([noJson.status, errorsOf(noJson)]).toEqual([400, [code('Resource.InvalidFormat', 'U010')]]);
  });

  it('DP-022, DP-036, DP-092, DP-093 several approvers are waited for; one who declines ends it', async () => {
    const shared = ['bob', 'Brown & Clark Traders'] as const;
    const approved = await tpp().approve(await tpp().stage(), ...shared);
    const paid = await tpp().payFor(approved);
    expect(dataOf(paid)).toMatchObject({ Status: first });
    const waiting = dataOf(await tpp().get(pathOf(paid)));
    const multi = { Status: state('AwaitingFurtherAuthorisation', 'AWAF'), NumberRequired: 2, NumberReceived: 1 };
    expect(waiting).toMatchObject({ Status: state('Pending', 'PATC'), MultiAuthorisation: multi });
    const bank = openTestPool({ connectionString: sandbox.postgres.url('sandbox_bank'), max: 1 });
    const customers = new Customers(tpp().sandbox, bank);
    expect(await customers.decideFurther(pathOf(paid).split('/').at(-1) ?? '', 'carol', 'decline')).toBe('declined');
    await bank.end();
    const ended = dataOf(await tpp().get(pathOf(paid)));
    expect(ended).toMatchObject({
      Status: state('Rejected', 'RJCT'),
      MultiAuthorisation: { Status: state('Rejected', 'RJCT') },
    });
    if (version === '4.0') {
      // DP-037, DP-101
      expect(ended['StatusReason']).toEqual([
        {
          StatusReasonCode: 'U037',
          StatusReasonDescription: 'A person whose approval the account needs has declined the payment.',
        },
      ]);
    }
  });

  it('DP-037 without the money: Rejected, and the reason', async () => {
    const initiation = { InstructedAmount: { Amount: '900000.00', Currency: 'GBP' } };
    const approved = await tpp().approve(await tpp().stage(initiation), 'dave', 'Dixon Current');
    const path = pathOf(await tpp().payFor(approved, { initiation }));
    await until(async () => dataOf(await tpp().get(path))['Status'] === state('Rejected', 'RJCT'));
    const { StatusReason } = dataOf(await tpp().get(path)) as { StatusReason?: { StatusReasonCode: string }[] };
    expect(StatusReason?.map(({ StatusReasonCode }) => StatusReasonCode)).toEqual(
      version === '4.0' ? ['AM04'] : undefined,
    );
  });
});

describe('domestic payments across versions', () => {
  it('DP-050 a consent belongs to its version; a payment of 3.1 is read in the members of 4.0, never the reverse', async () => {
    const [older, newer] = [tpps.get('3.1')!, tpps.get('4.0')!];
    const approved = await older.approve(await older.stage());
    const funds = await newer.get(`${consents}/${approved.consentId}/funds-confirmation`, approved);
    expect([funds.status, errorsOf(funds)]).toEqual([400, ['U008 ConsentId']]);
    const crossed = await newer.payFor(approved);
    expect([crossed.status, errorsOf(crossed)]).toEqual([400, ['U008 Data.ConsentId']]);
    const path = pathOf(await older.payFor(approved));
    expect(dataOf(await newer.get(path))['Initiation']).toEqual(anInitiation('4.0'));
    const ofNewer = await newer.approve(await newer.stage());
    const refused = await older.get(pathOf(await newer.payFor(ofNewer)));
    expect([refused.status, errorsOf(refused)]).toEqual([400, ['UK.OBIE.Resource.ConsentMismatch DomesticPaymentId']]);
  });

  it('DP-090 what Risk and Initiation say of people is erased', async () => {
    const tpp = tpps.get('3.1')!;
    const risk = { ...aRisk, MerchantCustomerIdentification: '0535' };
    const consentId = await tpp.stage({}, { risk });
    await sandbox.database.query(
      "UPDATE payment_consents SET status = 'Rejected', status_reason = 'Declined', status_updated_at = now() - interval '20 years' WHERE consent_id = $1",
      [consentId],
    );
    const stored = async () =>
      (await sandbox.database.query('SELECT risk, erased_at FROM payment_consents WHERE consent_id = $1', [consentId]))
        .rows[0] as { risk: string; erased_at: Date | null };
    await until(async () => (await stored()).erased_at !== null);
    expect((await stored()).risk).toBe('{"PaymentContextCode":"TransferToThirdParty"}');
  });
});
