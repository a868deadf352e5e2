import { describe, expect, it, beforeAll } from '@jest/globals';
import { decodeJwt } from 'jose';
import * as fc from 'fast-check';
import type { ApiVersion } from '../../support/a-payment-file.js';
import { until } from '../../support/expectations.js';
import { errorsOf } from '../account-access/access-client.js';
import { ACR_SCA } from '../../support/a-client.js';
import { dataOf } from '../file-payments/world.js';
import { anInitiation, aRisk, consents, pathOf, payments, useDomesticWorlds, type Approved } from './domestic-world.js';
import { openTestPool } from '../../support/open-test-pool.js';
import { Customers } from '../chaos/customers/customers.js';
import { PageBrowser } from '../../support/page-browser.js';
import type { Members } from '../../support/a-consent-request.js';
import { runUnguarded } from '../../support/unguarded.js';
import { documentedIn } from '../documentation/api-document.js';
import { bodies } from '../documentation/full-bodies.js';
import { almost, anyBody, fuzzSettings } from '../file-payments/fuzz.js';

const worlds = useDomesticWorlds();
const worldOf = (version: ApiVersion) => worlds.find((each) => each.version === version)!;
const tppOf = (version: ApiVersion) => worldOf(version).tpp();
const database = () => worldOf('3.1').sandbox().database;

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

  it('DP-043 funds are not confirmed for a consent that has expired, even if its status does not say so yet', async () => {
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

  it('DP-024, DP-046 CHAPS has its charge in consent and payment, and its cut-off time', async () => {
    const initiation = { LocalInstrument: 'UK.OBIE.CHAPS' };
    const staged = dataOf(await tpp().consent(initiation));
    const Charges = [
      { ChargeBearer: 'BorneByDebtor', Type: 'UK.OBIE.CHAPSOut', Amount: { Amount: '15.00', Currency: 'GBP' } },
    ];
    expect(staged).toMatchObject({ Charges, CutOffDateTime: expect.stringMatching(/T1[67]:40:00[+]00:00$/) });
    const paid = await tpp().payFor(await tpp().approve(String(staged['ConsentId'])), { initiation });
    expect(dataOf(paid)).toMatchObject({ Charges });
  });

  it('DP-025, DP-026 a TPP that asked for it gets the account to refund to', async () => {
    const approved = await tpp().approve(await tpp().stage({}, { data: { ReadRefundAccount: 'Yes' } }));
    const paid = dataOf(await tpp().payFor(approved));
    const { SchemeName, Identification, Name } = paid['Debtor'] as Record<string, string>;
    expect(paid['Refund']).toEqual({ Account: { SchemeName, Identification, Name } });
  });

  it('DP-040, DP-069 a consent makes one payment, even for two simultaneous requests', async () => {
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

  it('DP-041, DP-099 Initiation and Risk must be those of the consent, which otherwise stays authorised', async () => {
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

  it('DP-037 a payment without the money is Rejected, with the reason', async () => {
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

  it('DP-090 personal data in Risk, Initiation and SCASupportData is erased', async () => {
    const tpp = tppOf('3.1');
    const risk = { ...aRisk, MerchantCustomerIdentification: '0535' };
    const consentId = await tpp.stage(
      {},
      { risk, data: { ReadRefundAccount: 'Yes', SCASupportData: { ReferencePaymentOrderId: 'Smith' } } },
    );
    await database().query(
      "UPDATE payment_consents SET status = 'Rejected', status_reason = 'Declined', status_updated_at = now() - interval '20 years' WHERE consent_id = $1",
      [consentId],
    );
    const stored = async () =>
      (
        await database().query('SELECT risk, conditions, erased_at FROM payment_consents WHERE consent_id = $1', [
          consentId,
        ])
      ).rows[0] as { risk: string; conditions: object; erased_at: Date | null };
    await until(async () => (await stored()).erased_at !== null);
    expect(await stored()).toMatchObject({
      risk: '{"PaymentContextCode":"TransferToThirdParty"}',
      conditions: { ReadRefundAccount: 'Yes' },
    });
    expect((await stored()).conditions).not.toHaveProperty('SCASupportData');
  });
});

const shared = ['bob', 'Brown & Clark Traders'] as const;

/** Single payments from an account that needs two people, in one version. */
for (const { version, tpp, sandbox } of worlds) {
  const state = (status31: string, status40: string) => (version === '3.1' ? status31 : status40);

  /** A payment that waits for carol. */
  const aWaitingPayment = async (): Promise<{ path: string; status: unknown }> => {
    const paid = await tpp().payFor(await tpp().approve(await tpp().stage(), ...shared));
    return { path: pathOf(paid), status: dataOf(paid)['Status'] };
  };
  const decide = async (path: string, button: 'approve' | 'decline') => {
    const bank = openTestPool({ connectionString: sandbox().postgres.url('sandbox_bank'), max: 1 });
    const customers = new Customers(tpp().sandbox, bank);
    const verdict = await customers.decideFurther(path.split('/').at(-1) ?? '', 'carol', button);
    await bank.end();
    return verdict;
  };

  /** What carol reads on one of her own pages. */
  const readsAt = async (path: string): Promise<string> => {
    const browser = new PageBrowser(sandbox());
    const approvals = `${new URL(sandbox().description.authorization_endpoint).origin}/approvals`;
    const credentials = { username: 'carol', password: 'carol-password' };
    const page = await browser.submit(await browser.get(approvals), '/approvals/sign-in', credentials);
    await browser.submit(page, '/approvals/second-factor', { one_time_code: '333333' });
    return (await browser.get(`${approvals}${path}`)).html.replaceAll(/(?:<[^>]+>|\s)+/g, ' ');
  };

  describe(`several approvers in ${version}`, () => {
    it('DP-022, DP-036, DP-092, DP-093, DP-101 are awaited; one who declines ends the payment', async () => {
      const { path, status } = await aWaitingPayment();
      expect(status).toBe(state('Pending', 'RCVD'));
      const waiting = dataOf(await tpp().get(path));
      const multi = { Status: state('AwaitingFurtherAuthorisation', 'AWAF'), NumberRequired: 2, NumberReceived: 1 };
      expect(waiting).toMatchObject({ Status: state('Pending', 'PATC'), MultiAuthorisation: multi });
      const consent = dataOf(await tpp().get(`${consents}/${String(waiting['ConsentId'])}`));
      for (const name of ['ExpectedExecutionDateTime', 'ExpectedSettlementDateTime']) {
        for (const data of [waiting, consent]) expect(data).not.toHaveProperty(name);
      }
      expect(await decide(path, 'decline')).toBe('declined');
      const ended = dataOf(await tpp().get(path));
      const rejected = state('Rejected', 'RJCT');
      expect(ended).toMatchObject({ Status: rejected, MultiAuthorisation: { Status: rejected } });
      if (version === '4.0') {
        // DP-037
        expect(ended['StatusReason']).toEqual([
          {
            StatusReasonCode: 'U037',
            StatusReasonDescription: 'A person whose approval the account needs has declined.',
          },
        ]);
      }
      expect((await tpp().get(`${path}/payment-details`)).text).not.toMatch(/\bfile\b/);
    });

    it('DP-036, DP-081 who all approve send the payment to its scheme, and see the payee in their lists', async () => {
      const { path } = await aWaitingPayment();
      expect(await readsAt('')).toContain(' £10.50 to Dana Dole ');
      expect(await decide(path, 'approve')).toBe('approved');
      expect(await readsAt('/decided')).toContain(' £10.50 to Dana Dole ');
      const settled = state('AcceptedCreditSettlementCompleted', 'ACCC');
      await until(async () => dataOf(await tpp().get(path))['Status'] === settled);
      expect(dataOf(await tpp().get(path))).toMatchObject({
        MultiAuthorisation: { Status: state('Authorised', 'AUTH'), NumberReceived: 2 },
      });
    });

    it('DP-036 end the payment by missing the deadline', async () => {
      const { path } = await aWaitingPayment();
      const aged = "UPDATE payment_orders SET created_at = now() - interval '8 days' WHERE payment_order_id = $1";
      await sandbox().database.query(aged, [path.split('/').at(-1)]);
      const rejected = state('Rejected', 'RJCT');
      await until(async () => dataOf(await tpp().get(path))['Status'] === rejected);
      expect(dataOf(await tpp().get(path))).toMatchObject({ MultiAuthorisation: { Status: rejected } });
    });
  });
}

/** What the customer reads of a single payment, in one version. */
for (const { version, tpp } of worlds) {
  describe(`the page of a payment in ${version}`, () => {
    it('DP-083 nothing of Risk is shown; of 4.0 agent, proxy, final parties and documents are', async () => {
      const of40 = {
        CreditorAgent: { SchemeName: 'UK.OBIE.BICFI', Identification: 'BANKGB2L', Name: 'Dana’s Bank' },
        CreditorAccount: {
          ...(anInitiation('4.0')['CreditorAccount'] as object),
          Proxy: { Identification: '+447700900123', Code: 'TELE', Type: 'mobile' },
        },
        UltimateCreditor: { Name: 'Final Payee' },
        UltimateDebtor: { Name: 'True Payer' },
        RemittanceInformation: {
          Structured: [{ ReferredDocumentInformation: [{ Number: 'DOC-9' }], Invoicer: 'Biller' }],
        },
      };
      const page = await tpp().pageFor(await tpp().stage(version === '4.0' ? of40 : {}));
      expect(page).not.toMatch(/Leeds|TransferToThirdParty/);
      const details = ['Dana’s Bank', '+447700900123', 'Final Payee', 'True Payer', 'DOC-9', 'Biller'];
      if (version === '4.0') for (const detail of details) expect(page).toContain(detail);
    });
  });
}

/** What is refused of single payments in one version, and how. */
for (const { version, tpp, sandbox } of worlds) {
  const code = (name: string, code40: string) => (version === '3.1' ? `UK.OBIE.${name}` : code40);

  describe(`refusals of ${version}`, () => {
    it('DP-068 a consent that was rejected after its approval makes no payment', async () => {
      const approved = await tpp().approve(await tpp().stage());
      await sandbox().database.query(
        "UPDATE payment_consents SET status = 'Rejected', status_reason = 'Expired' WHERE consent_id = $1",
        [approved.consentId],
      );
      const refused = await tpp().payFor(approved);
      expect([refused.status, errorsOf(refused)]).toEqual([
        400,
        [`${code('Resource.InvalidConsentStatus', 'U009')} Data.Status`],
      ]);
    });

    it('DP-073 a fault of the bank is a 500 that reveals nothing', async () => {
      const consentId = await tpp().stage();
      const spoil = "UPDATE payment_consents SET initiation = 'rubbish' WHERE consent_id = $1";
      await runUnguarded(sandbox().database, spoil, [consentId]);
      const answer = await tpp().get(`${consents}/${consentId}`);
      expect([answer.status, errorsOf(answer)]).toEqual([500, [code('UnexpectedError', 'U000')]]);
      expect(answer.text).not.toContain('rubbish');
    });

    it('DP-037, DP-046 a payment not approved before its cut-off ends, and says why', async () => {
      const consentId = await tpp().stage();
      const end = "SET cut_off_at = now() - interval '1 s', expires_at = now() - interval '1 s'";
      await sandbox().database.query(`UPDATE payment_consents ${end} WHERE consent_id = $1`, [consentId]);
      const rejected = version === '3.1' ? 'Rejected' : 'RJCT';
      await until(async () => (await tpp().statusOf(consentId)) === rejected);
      const { StatusReason } = dataOf(await tpp().get(`${consents}/${consentId}`));
      expect(StatusReason).toEqual(
        version === '3.1' ? undefined : [expect.objectContaining({ StatusReasonCode: 'TM01' })],
      );
    });
  });
}

/** Whatever is in a request for a single payment, it is answered as the document of its version says. */
for (const { version, tpp } of worlds) {
  const end = version === '3.1' ? '' : `-${version}`;
  const expectDocumented = documentedIn(`domestic-payments${end}`);
  const like = (operation: string) =>
    fc.oneof(anyBody, almost(bodies[version === '3.1' ? operation : `${operation} ${version}`] as object));

  describe(`any request at all of ${version}`, () => {
    let approved: Approved;
    beforeAll(async () => {
      approved = await tpp().approve(await tpp().stage());
    });

    it('is answered as documented if it is a consent, and accepted ones can be read', async () => {
      let accepted = 0;
      const property = fc.asyncProperty(like('CreateDomesticPaymentConsents'), async (sent) => {
        const response = await tpp().post(consents, sent);
        expectDocumented('CreateDomesticPaymentConsents', response);
        if (response.status !== 201) return;
        accepted += 1;
        const read = await tpp().get(`${consents}/${String(dataOf(response)['ConsentId'])}`);
        expect(read.json()).toEqual(response.json());
      });
      await fc.assert(property, fuzzSettings(100));
      expect(accepted).toBeGreaterThan(1);
    });

    it('is answered as documented if it is a payment, and leaves the consent as it is', async () => {
      const { accessToken, consentId } = approved;
      const ofConsent = almost({ Initiation: anInitiation(version), Risk: aRisk }).map((text) => {
        const { Initiation, Risk } = JSON.parse(text) as Members;
        return JSON.stringify({ Data: { ConsentId: consentId, Initiation }, Risk });
      });
      const answers: string[] = [];
      const property = fc.asyncProperty(fc.oneof(anyBody, ofConsent, ofConsent), async (sent) => {
        const response = await tpp().post(payments, sent, { accessToken });
        expectDocumented('CreateDomesticPayments', response);
        answers.push(response.text);
      });
      await fc.assert(property, fuzzSettings(100));
      const mismatch = version === '3.1' ? 'UK.OBIE.Resource.ConsentMismatch' : 'U008';
      expect(answers.filter((text) => text.includes(mismatch)).length).toBeGreaterThan(5);
      expect(await tpp().statusOf(consentId)).toBe(version === '3.1' ? 'Authorised' : 'AUTH');
    });
  });
}
