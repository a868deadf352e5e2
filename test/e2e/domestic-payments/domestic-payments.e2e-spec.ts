import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { ApiVersion } from '../../support/a-payment-file.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import { errorsOf } from '../account-access/access-client.js';
import { ACR_SCA } from '../authorization/fapi-client.js';
import { dataOf } from '../file-payments/world.js';
import { anInitiation, aRisk, consents, DomesticTpp, pathOf, payments, useDomesticWorlds } from './domestic-world.js';

const worlds = useDomesticWorlds();
const [world] = worlds;
const tppOf = (version: ApiVersion) => worlds.find((each) => each.version === version)!.tpp();
const database = () => world!.sandbox().database;
let other: TestTpp;
beforeAll(async () => {
  other = await aTpp(world!.sandbox(), { index: 1 });
});
afterAll(() => other?.close());

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

describe.each(versions)('domestic payments of $version', ({ version, awaiting, authorised, consumed, first }) => {
  const tpp = () => tppOf(version);
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
    for (const path of [consents, payments]) {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect((await tpp().get(`${path}/${consentId}`, { method })).status).toBe(405);
      }
      expect((await tpp().get(path)).status).toBe(405);
    }
  });

  it('DP-003, DP-043, DP-044, DP-045, DP-095 funds are confirmed with the token of the approval while the consent is authorised', async () => {
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
    const { rows } = await database().query(
      "SELECT details FROM audit_events WHERE action = 'funds.confirmed' AND details ->> 'consentId' = $1",
      [consentId],
    );
    expect(rows).toMatchObject([{ details: { amount: '10.50', currency: 'GBP', isAvailable: true } }]);
    expect(rows[0]).not.toHaveProperty('details.reference');
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
    await database().query("UPDATE payment_consents SET expires_at = now() - interval '1 s' WHERE consent_id = $1", [
      consentId,
    ]);
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

  it('DP-017 what the TPP says of the risk is shown as it was sent', async () => {
    const ofOld = { ContractPresentInidicator: true, BeneficiaryPaymentDetailsPrepopulatedIndicator: false };
    const risk = { ...(version === '3.1' ? ofOld : {}), ContractPresentIndicator: false };
    expect((await tpp().consent({}, { risk })).json()).toMatchObject({ Risk: risk });
  });

  it('DP-024, DP-046 CHAPS has its charge in consent and payment, and the time until which it is paid at once', async () => {
    const initiation = { LocalInstrument: 'UK.OBIE.CHAPS' };
    const staged = dataOf(await tpp().consent(initiation));
    const Charges = [
      { ChargeBearer: 'BorneByDebtor', Type: 'UK.OBIE.CHAPSOut', Amount: { Amount: '15.00', Currency: 'GBP' } },
    ];
    expect(staged).toMatchObject({ Charges, CutOffDateTime: expect.stringMatching(/T1[67]:40:00[+]00:00$/) });
    const paid = await tpp().payFor(await tpp().approve(String(staged['ConsentId'])), { initiation });
    expect(dataOf(paid)).toMatchObject({ Charges });
  });

  it('DP-049 InstructionIdentification may repeat', async () => {
    const InstructionIdentification = 'THE-SAME';
    for (const initiation of [{ InstructionIdentification }, { InstructionIdentification }]) {
      const approved = await tpp().approve(await tpp().stage(initiation));
      expect((await tpp().payFor(approved, { initiation })).status).toBe(201);
    }
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

  it('DP-042 the ID token of an approval says how the customer was authenticated (acr)', async () => {
    const { consentId, location } = await tpp().approve(await tpp().stage());
    const idToken = new URLSearchParams(new URL(location).hash.slice(1)).get('id_token') ?? '';
    expect(decodeJwt(idToken)).toMatchObject({ openbanking_intent_id: consentId, acr: ACR_SCA });
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

  it('DP-037 without the money: Rejected, and the reason', async () => {
    const initiation = { InstructedAmount: { Amount: '900000.00', Currency: 'GBP' } };
    const approved = await tpp().approve(await tpp().stage(initiation), 'dave', 'Dixon Current');
    const path = pathOf(await tpp().payFor(approved, { initiation }));
    await until(async () => dataOf(await tpp().get(path))['Status'] === state('Rejected', 'RJCT'));
    const { StatusReason } = dataOf(await tpp().get(path)) as { StatusReason?: { StatusReasonCode: string }[] };
    expect(StatusReason?.map(({ StatusReasonCode }) => StatusReasonCode)).toEqual(
      version === '4.0' ? ['AM04'] : undefined,
    );
    expect((await tpp().get(`${path}/payment-details`)).text).not.toMatch(/\bfile\b/);
  });
});

describe('domestic payments across versions', () => {
  it('DP-050 a consent belongs to its version; a payment of 3.1 is read in the members of 4.0, never the reverse', async () => {
    const [older, newer] = [tppOf('3.1'), tppOf('4.0')];
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
    const tpp = tppOf('3.1');
    const risk = { ...aRisk, MerchantCustomerIdentification: '0535' };
    const consentId = await tpp.stage({}, { risk });
    await database().query(
      "UPDATE payment_consents SET status = 'Rejected', status_reason = 'Declined', status_updated_at = now() - interval '20 years' WHERE consent_id = $1",
      [consentId],
    );
    const stored = async () =>
      (await database().query('SELECT risk, erased_at FROM payment_consents WHERE consent_id = $1', [consentId]))
        .rows[0] as { risk: string; erased_at: Date | null };
    await until(async () => (await stored()).erased_at !== null);
    expect((await stored()).risk).toBe('{"PaymentContextCode":"TransferToThirdParty"}');
  });
});
