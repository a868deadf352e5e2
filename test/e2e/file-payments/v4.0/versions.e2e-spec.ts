import { useWorld40, aConsent, expectError40, decline } from './world-40.js';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { TestTpp, AuthorisedConsent } from '../../../support/a-tpp.js';
import { expectObError, until } from '../../../support/expectations.js';
import type { TestResponse } from '../../../support/https-request.js';
import { consentIdOf, consents, dataOf } from '../world.js';
import { aPaymentFile } from '../../../support/a-payment-file.js';
import { Customers } from '../../chaos/customers/customers.js';
import { openTestPool } from '../../../support/open-test-pool.js';

const world = useWorld40();

const idOf = (response: TestResponse): string => String(dataOf(response)['FilePaymentId']);

/** Requests in one version with a consent of the other: GET, GET file, upload, payment. */
async function cross(stranger: TestTpp, owner: TestTpp): Promise<{ answers: TestResponse[]; states: string[] }> {
  const file = owner.file();
  const waiting = await owner.stageConsent(file);
  const approved = await owner.authorise(owner.file());
  // The other version has another FileType, but the answer names the version.
  const initiation = { ...approved.initiation, FileType: `UK.OBIE.PaymentInitiation.${stranger.version}` };
  const answers = [
    await stranger.get(`${consents}/${waiting}`),
    await stranger.get(`${consents}/${approved.consentId}/file`),
    await stranger.upload(waiting, file),
    await stranger.pay({ ...approved, initiation }),
  ];
  return { answers, states: [await owner.consentStatus(waiting), await owner.consentStatus(approved.consentId)] };
}

const consentPaths = ['ConsentId', 'ConsentId', 'ConsentId', 'Data.ConsentId'];

/** F4-001 to F4-007. */
describe('versions', () => {
  it('F4-001, F4-010, F4-011 a file is processed completely in 4.0', async () => {
    const { tpp } = world();
    const file = tpp.file();
    const staged = await tpp.post(consents, aConsent(file), { headers: { 'payload-version': '3.1.11' } });
    expect([staged.status, dataOf(staged)['Status']]).toEqual([201, 'AWUP']);
    const self = tpp.url(`${consents}/${consentIdOf(staged)}`);
    expect(self).toContain('/open-banking/v4.0/pisp/');
    expect(staged.json()).toMatchObject({ Links: { Self: self }, Meta: {} });
    expect(staged.headers.location).toBe(self);
    const consent = await tpp.authorise(file);
    expect(await tpp.consentStatus(consent.consentId)).toBe('AUTH');
    const paid = await tpp.pay(consent);
    expect([paid.status, dataOf(paid)['Status']]).toEqual([201, 'PDNG']);
    expect(await tpp.consentStatus(consent.consentId)).toBe('COND');
    const path = `/file-payments/${idOf(paid)}`;
    expect(paid.headers.location).toBe(tpp.url(path));
    await until(async () => dataOf(await tpp.get(path))['Status'] === 'INCO');
    expect((await tpp.get(`${consents}/${consent.consentId}/file`)).status).toBe(200);
  });

  it('F4-002 payload-version is ignored', async () => {
    const { tpp } = world();
    const staged = await tpp.post(consents, aConsent(tpp.file()), { headers: { 'payload-version': 'nonsense' } });
    expect(staged.status).toBe(201);
  });

  it('F4-003 a consent of 3.1 is not one of 4.0, and does not change', async () => {
    const { tpp, older } = world();
    const { answers, states } = await cross(tpp, older);
    for (const [index, answer] of answers.entries()) expectError40(answer, 400, 'U008', consentPaths[index]);
    expect(states).toEqual(['AwaitingUpload', 'Authorised']);
  });

  it('F4-004 a consent of 4.0 is not one of 3.1, and does not change', async () => {
    const { tpp, older } = world();
    const { answers, states } = await cross(older, tpp);
    for (const [index, answer] of answers.entries()) {
      expectObError(answer, 400, 'Resource.ConsentMismatch', consentPaths[index]);
    }
    expect(states).toEqual(['AWUP', 'AUTH']);
  });

  it('F4-005 a file payment of 3.1 is read on 4.0, in its members', async () => {
    const { tpp, older } = world();
    const file = older.file({ item: () => ({ CreditorPostalAddress: { AddressType: 'Business', Country: 'GB' } }) });
    const consent = await older.authorise(file, {
      initiation: { RemittanceInformation: { Reference: 'PAYROLL', Unstructured: 'January' } },
    });
    const path = `/file-payments/${idOf(await older.pay(consent))}`;
    await until(async () => dataOf(await tpp.get(path))['Status'] === 'INCO');
    const RemittanceInformation = {
      Structured: [{ CreditorReferenceInformation: { Reference: 'PAYROLL' } }],
      Unstructured: ['January'],
    };
    const payment = await tpp.get(path);
    expect(dataOf(payment)['Initiation']).toMatchObject({
      FileType: 'UK.OBIE.PaymentInitiation.3.1',
      RemittanceInformation,
    });
    expect(payment.json()).toMatchObject({ Links: { Self: tpp.url(path) } });
    const [first] = dataOf(await tpp.get(`${path}/payment-details`))['PaymentStatus'] as { Status: string }[];
    expect(first?.Status).toMatch(/^[A-Z]{4}$/);
    const report = dataOf(await tpp.get(`${path}/report-file`))['DomesticPayments'] as Record<string, unknown>[];
    expect(report[0]).toMatchObject({
      PaymentId: expect.stringMatching(/^\w{32}$/),
      CreditorPostalAddress: { AddressType: 'BIZZ', Country: 'GB' },
      RemittanceInformation: { Structured: [{ CreditorReferenceInformation: { Reference: 'INV-1' } }] },
    });
  });

  it('F4-006 a file payment of 4.0 is not one of 3.1', async () => {
    const { tpp, older } = world();
    const path = `/file-payments/${idOf(await tpp.pay(await tpp.authorise()))}`;
    for (const end of ['', '/payment-details', '/report-file']) {
      expectObError(await older.get(`${path}${end}`), 400, 'Resource.ConsentMismatch', 'FilePaymentId');
    }
  });

  it('F4-007 a key of one version is unknown in the other', async () => {
    const { tpp, older } = world();
    const headers = { 'x-idempotency-key': randomUUID() };
    const one = await older.post(consents, aConsent(older.file()), { headers });
    const other = await tpp.post(consents, aConsent(tpp.file()), { headers });
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(consentIdOf(one)).not.toBe(consentIdOf(other));
    expect((await older.post(consents, aConsent(older.file()), { headers })).json()).toEqual(one.json());
  });
});

const shared = { customer: 'bob', accountName: 'Brown & Clark Traders' } as const;

const tooMuch = () => ({ InstructedAmount: { Amount: '900000.00', Currency: 'GBP' } });

interface Reason {
  StatusReasonCode: string;
  StatusReasonDescription: string;
}

/** @returns the codes of StatusReason, each of which has a sentence */
function reasonsOf(data: Record<string, unknown>): string[] {
  const reasons = (data['StatusReason'] ?? []) as Reason[];
  for (const { StatusReasonDescription } of reasons) expect(StatusReasonDescription).toMatch(/^[A-Z].+\.$/);
  return reasons.map(({ StatusReasonCode }) => StatusReasonCode);
}

const consentOf = async (consentId: string) => dataOf(await world().tpp.get(`${consents}/${consentId}`));
const pay = async (consent: AuthorisedConsent): Promise<string> => {
  const paid = await world().tpp.pay(consent);
  expect({ status: paid.status, text: paid.text }).toMatchObject({ status: 201 });
  return `/file-payments/${String(dataOf(paid)['FilePaymentId'])}`;
};

/** F4-010 to F4-016. */
describe('states and why', () => {
  it('F4-013 says why a consent or a file payment waits or has ended', async () => {
    const { tpp } = world();
    expect(reasonsOf(await consentOf(await tpp.stageConsent()))).toEqual(['U031']);
    expect(reasonsOf(await consentOf(await tpp.stageFile()))).toEqual(['U036']);
    const consent = await tpp.authorise();
    expect(await consentOf(consent.consentId)).not.toHaveProperty('StatusReason');
    const paid = dataOf(await tpp.pay(consent));
    expect([paid['Status'], reasonsOf(paid)]).toEqual(['PDNG', ['U030']]);
    expect(reasonsOf(await consentOf(consent.consentId))).toEqual(['U038']);
  });

  it('F4-056 says in plain words why nothing was authorised', async () => {
    const left = await decline(world(), await world().tpp.stageFile());
    const { searchParams, hash } = new URL(left);
    const told = new URLSearchParams(hash === '' ? searchParams.toString() : hash.slice(1));
    expect(told.get('error')).toBe('access_denied');
    expect(told.get('error_description')).toMatch(/^[a-z ]{10,}\.?$/i);
    expect(told.get('error_description')).not.toMatch(/U0\d\d/);
  });

  it('F4-014 distinguishes the reasons of a rejection', async () => {
    const { tpp, sandbox } = world();
    const [mismatched, declined, expired] = [await tpp.stageConsent(), await tpp.stageFile(), await tpp.stageFile()];
    const other = tpp.file({ payments: 3 });
    expect((await tpp.upload(mismatched, other)).status).toBe(400);
    await decline(world(), declined);
    await sandbox.database.query(
      "UPDATE payment_consents SET expires_at = now() - interval '1 s' WHERE consent_id = $1",
      [expired],
    );
    await until(async () => (await tpp.consentStatus(expired)) === 'RJCT');
    const found = await Promise.all([mismatched, declined, expired].map(consentOf));
    expect(found.map((data) => [data['Status'], ...reasonsOf(data)])).toEqual([
      ['RJCT', 'NARR'],
      ['RJCT', 'U033'],
      ['RJCT', 'U036'],
    ]);
  });

  it('F4-012, F4-015 several approvers: AWAF while they are waited for, RJCT and U037 when one declines', async () => {
    const { tpp, sandbox } = world();
    const [path, other] = [
      await pay(await tpp.authorise(tpp.file(), shared)),
      await pay(await tpp.authorise(tpp.file(), shared)),
    ];
    const waiting = dataOf(await tpp.get(path));
    expect(waiting).toMatchObject({ Status: 'PDNG', MultiAuthorisation: { Status: 'AWAF', NumberRequired: 2 } });
    expect(reasonsOf(waiting)).toEqual(['U040']);
    const bank = openTestPool({ connectionString: sandbox.postgres.url('sandbox_bank'), max: 1 });
    const customers = new Customers(tpp.sandbox, bank);
    const decide = (of: string, button: 'approve' | 'decline') =>
      customers.decideFurther(of.split('/').at(-1) ?? '', 'carol', button);
    expect([await decide(path, 'decline'), await decide(other, 'approve')]).toEqual(['declined', 'approved']);
    await bank.end();
    const ended = dataOf(await tpp.get(path));
    expect(ended).toMatchObject({ Status: 'INFA', MultiAuthorisation: { Status: 'RJCT' } });
    expect(reasonsOf(ended)).toEqual(['U037']);
    expect(dataOf(await tpp.get(other))).toMatchObject({
      MultiAuthorisation: { Status: 'AUTH', NumberRequired: 2, NumberReceived: 2 },
    });
    await until(async () => dataOf(await tpp.get(other))['Status'] === 'INCO');
  });

  it('F4-015, F4-016 a file without the money for it: INFA, AM04, each payment RJCT', async () => {
    const { tpp } = world();
    const file = aPaymentFile({ version: '4.0', item: tooMuch });
    const path = await pay(await tpp.authorise(file, { customer: 'dave', accountName: 'Dixon Current' }));
    await until(async () => dataOf(await tpp.get(path))['Status'] !== 'PDNG');
    const failed = dataOf(await tpp.get(path));
    expect([failed['Status'], ...reasonsOf(failed)]).toEqual(['INFA', 'AM04']);
    const { PaymentStatus } = dataOf(await tpp.get(`${path}/payment-details`));
    for (const payment of PaymentStatus as Record<string, unknown>[]) {
      expect(payment).toMatchObject({
        Status: 'RJCT',
        StatusDetail: { Status: 'RJCT', StatusReason: 'AM04', LocalInstrument: 'UK.OBIE.FPS' },
      });
    }
  });
});
