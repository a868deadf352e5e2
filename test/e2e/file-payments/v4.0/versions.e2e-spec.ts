import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { useWorld40, aConsent, expectError40, decline, requestLimit } from './world-40.js';
import { TestTpp, type AuthorisedConsent } from '../../../support/a-tpp.js';
import { expectObError, until } from '../../../support/expectations.js';
import type { TestResponse } from '../../../support/https-request.js';
import { consentIdOf, consents, dataOf } from '../world.js';
import { aPaymentFile } from '../../../support/a-payment-file.js';
import { Customers } from '../../chaos/customers/customers.js';
import { openTestPool } from '../../../support/open-test-pool.js';
import { ACR_SCA } from '../../../support/a-client.js';
import { iat, iss, tan, verifyDetached } from '../../../support/detached-jws.js';
import { signingReason, whileNothingIsSigned } from '../../../support/signing-service-away.js';

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

const header = (value: unknown): string => String(value);

/** F4-030 to F4-034. */
describe('headers and signatures', () => {
  it('F4-030 names the client, and its remaining requests', async () => {
    const { tpp, older } = world();
    const [first, second] = [await tpp.post(consents, aConsent(tpp.file())), await tpp.post(consents, '{}')];
    expect([first.status, second.status]).toEqual([201, 400]);
    const left = [first, second].map(({ headers }) => {
      expect(headers['x-client-id']).toBe(tpp.clientId);
      expect(headers['ratelimit-policy']).toMatch(new RegExp(`^"client";q=${requestLimit};w=3600(, |$)`));
      return Number(/^"client";r=(\d+);t=\d+(, |$)/.exec(header(headers['ratelimit']))?.[1]);
    });
    expect(left[1]).toBe(Number(left[0]) - 1);
    const before = await older.get(consents);
    expect(before.headers).not.toHaveProperty('ratelimit');
    expect(before.headers).not.toHaveProperty('x-client-id');
  });

  it('a refused upload is found in the audit trail by its interaction id', async () => {
    const { tpp, sandbox } = world();
    const [consentId, id] = [await tpp.stageConsent(), randomUUID()];
    await tpp.upload(consentId, tpp.file({ payments: 3 }), { headers: { 'x-fapi-interaction-id': id } });
    const { rows } = await sandbox.database.query(
      "SELECT action, actor, details->>'consentId' AS consent FROM audit_events WHERE interaction_id = $1",
      [id],
    );
    expect(rows).toEqual([{ action: 'consent.rejected', actor: 'api', consent: consentId }]);
  });

  it('the ID token of an approval says how the customer was authenticated (acr)', async () => {
    const { location, consentId } = await world().tpp.authorise();
    const idToken = new URLSearchParams(new URL(location).hash.slice(1)).get('id_token') ?? '';
    expect(decodeJwt(idToken)).toMatchObject({ openbanking_intent_id: consentId, acr: ACR_SCA });
  });

  it('F4-031 ignores an x-client-id of the request', async () => {
    const { tpp } = world();
    const headers = { 'x-client-id': 'somebody-else' };
    const staged = await tpp.post(consents, aConsent(tpp.file()), { headers });
    expect([staged.status, staged.headers['x-client-id']]).toEqual([201, tpp.clientId]);
  });

  it('F4-032, F4-033 takes no signature with b64, and makes none', async () => {
    const { tpp } = world();
    const body = aConsent(tpp.file());
    const refused = await tpp.post(consents, body, { jws: { b64: false, crit: ['b64', iat, iss, tan] } });
    expectError40(refused, 400, 'U016', 'b64');
    const staged = await tpp.post(consents, body);
    for (const { headers, text } of [refused, staged]) {
      const members = verifyDetached(header(headers['x-jws-signature']), Buffer.from(text), tpp.bankKeys);
      expect(members).not.toHaveProperty('b64');
      expect(members['crit']).toEqual([iat, iss, tan]);
    }
  });

  it('F4-034 does not sign the answer to an upload, which has no body', async () => {
    const { tpp } = world();
    const file = tpp.file();
    const uploaded = await tpp.upload(await tpp.stageConsent(file), file);
    expect([uploaded.status, uploaded.text]).toEqual([200, '']);
    expect(uploaded.headers).not.toHaveProperty('x-jws-signature');
  });
});

/** Answers in both versions while the service cannot sign. */
describe.each(['3.1', '4.0'] as const)('an answer of %s that cannot be signed', (version) => {
  // The official description has no 503.
  const aTpp = (): TestTpp => new TestTpp({ ...world().older, version });

  const expectTryAgain = (response: TestResponse): void => {
    if (version === '3.1') expectObError(response, 503, 'UnexpectedError');
    else expectError40(response, 503, 'U000');
    expect(response.headers).toMatchObject({
      'retry-after': '5',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(response.headers).not.toHaveProperty('x-jws-signature');
    expect(response.headers).not.toHaveProperty('location');
    expect(response.text).not.toContain(signingReason);
  };

  it('is 503 after one attempt, whatever the answer was', async () => {
    const tpp = aTpp();
    const consentId = await tpp.stageConsent();
    for (const [path, status] of [
      [`${consents}/${consentId}`, 200],
      [`${consents}/${randomUUID()}`, 400],
    ] as const) {
      const { result, answers } = await whileNothingIsSigned(world().sandbox.config, () => tpp.get(path));
      expectTryAgain(result);
      expect(answers).toBe(1);
      expect((await tpp.get(path)).status).toBe(status);
    }
  });

  it('of an accepted file payment: a retry with its key gets the true one, and nothing is paid twice', async () => {
    const tpp = aTpp();
    const consent = await tpp.authorise();
    const same = { headers: { 'x-idempotency-key': randomUUID() } };
    const { result } = await whileNothingIsSigned(world().sandbox.config, () => tpp.pay(consent, same));
    expectTryAgain(result);
    expect(result.text).not.toContain('FilePaymentId');

    const [first, second] = [await tpp.pay(consent, same), await tpp.pay(consent, same)];
    for (const { status, headers, text } of [first, second]) {
      expect(status).toBe(201);
      verifyDetached(String(headers['x-jws-signature']), Buffer.from(text), tpp.bankKeys);
    }
    expect(dataOf(second)['FilePaymentId']).toBe(dataOf(first)['FilePaymentId']);
    const { rows } = await world().sandbox.database.query('SELECT FROM payment_orders WHERE consent_id = $1', [
      consent.consentId,
    ]);
    expect(rows).toHaveLength(1);
  });
});
