import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { TestTpp } from '../../../support/a-tpp.js';
import { verifyDetached } from '../../../support/detached-jws.js';
import { expectObError } from '../../../support/expectations.js';
import type { TestResponse } from '../../../support/https-request.js';
import { signingReason, whileNothingIsSigned } from '../../../support/signing-service-away.js';
import { consents, dataOf } from '../world.js';
import { expectError40, type GetWorld40 } from './world-40.js';

/** Answers in both versions while the service cannot sign. */
export function describeUnsignedAnswers(world: GetWorld40): void {
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
}
