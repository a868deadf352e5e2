import { useWorld40, aConsent, expectError40, requestLimit } from './world-40.js';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { ACR_SCA } from '../../authorization/fapi-client.js';
import { iat, iss, tan, verifyDetached } from '../../../support/detached-jws.js';
import { consents, dataOf } from '../world.js';
import { TestTpp } from '../../../support/a-tpp.js';
import { expectObError } from '../../../support/expectations.js';
import type { TestResponse } from '../../../support/https-request.js';
import { signingReason, whileNothingIsSigned } from '../../../support/signing-service-away.js';

const world = useWorld40();

const header = (value: unknown): string => String(value);

/** F4-030 to F4-034. */
describe('headers and signatures', () => {
  it('F4-030 says which client asks, and how much more it may ask', async () => {
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

  it('of an accepted file payment: the idempotency key brings the true one, and nothing is paid twice', async () => {
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
