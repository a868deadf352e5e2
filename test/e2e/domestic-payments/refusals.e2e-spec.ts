import * as fc from 'fast-check';
import {
  useDomesticWorlds,
  consents,
  payments,
  pathOf,
  refusalOf,
  type Approved,
  anInitiation,
  aRisk,
} from './domestic-world.js';
import { randomUUID } from 'node:crypto';
import { describe, expect, it, beforeAll } from '@jest/globals';
import type { Members } from '../../support/a-consent-request.js';
import { iat, iss } from '../../support/detached-jws.js';
import { until } from '../../support/expectations.js';
import { runUnguarded } from '../../support/unguarded.js';
import { errorsOf } from '../account-access/access-client.js';
import { dataOf, unknownId } from '../file-payments/world.js';
import { documentedIn } from '../documentation/api-document.js';
import { bodies } from '../documentation/full-bodies.js';
import { almost, anyBody, fuzzSettings } from '../file-payments/fuzz.js';

const worlds = useDomesticWorlds();

/** What is refused of single payments in one version, and how. */
for (const { version, tpp, sandbox } of worlds) {
  const code = (name: string, code40: string) => (version === '3.1' ? `UK.OBIE.${name}` : code40);

  describe(`refusals of ${version}`, () => {
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

    it('DP-042, DP-066 an unknown consent makes no payment: every token is for another one', async () => {
      const approved = await tpp().approve(await tpp().stage());
      const unknown = await tpp().payFor({ ...approved, consentId: unknownId });
      expect([unknown.status, errorsOf(unknown)[0]]).toMatchObject([403, expect.stringMatching(/Authorization$/)]);
      expect(await refusalOf(tpp().get(`${consents}/${unknownId}/funds-confirmation`, approved))).toEqual([
        400,
        `${code('Resource.NotFound', 'U011')} ConsentId`,
      ]);
    });

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

    it('DP-071 a signature that is malformed, of another body, or without right claims', async () => {
      const consent = (differences: Parameters<ReturnType<typeof tpp>['consent']>[1]) =>
        refusalOf(tpp().consent({}, differences));
      const signed = (signature: string) => consent({ differences: { headers: { 'x-jws-signature': signature } } });
      const claiming = (jws: Members) => consent({ differences: { jws } });
      const inAYear = Math.floor(Date.now() / 1_000) + 31_536_000;
      expect([
        await signed('abc'),
        await signed(tpp().sign('{}')),
        await claiming({ [iat]: undefined }),
        await claiming({ [iat]: inAYear }),
        await claiming({ [iss]: 'nobody' }),
      ]).toEqual([
        [400, `${code('Signature.Malformed', 'U018')} x-jws-signature`],
        [400, `${code('Signature.Invalid', 'U015')} x-jws-signature`],
        [400, `${code('Signature.MissingClaim', 'U017')} ${iat}`],
        [400, `${code('Signature.InvalidClaim', 'U016')} ${iat}`],
        [400, `${code('Signature.InvalidClaim', 'U016')} ${iss}`],
      ]);
    });

    it('DP-073 a fault of the bank: 500, which says nothing of it', async () => {
      const consentId = await tpp().stage();
      const spoil = "UPDATE payment_consents SET initiation = 'rubbish' WHERE consent_id = $1";
      await runUnguarded(sandbox().database, spoil, [consentId]);
      const answer = await tpp().get(`${consents}/${consentId}`);
      expect([answer.status, errorsOf(answer)]).toEqual([500, [code('UnexpectedError', 'U000')]]);
      expect(answer.text).not.toContain('rubbish');
    });

    it('DP-037, DP-046 what nobody has approved before its cut-off is over, and says so', async () => {
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

    it('DP-065 Single is not possible with an account of several approvers', async () => {
      const DebtorAccount = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000155779911' };
      const consentId = await tpp().stage(
        { DebtorAccount },
        { data: { Authorisation: { AuthorisationType: 'Single' } } },
      );
      await expect(tpp().approve(consentId, 'bob')).rejects.toThrow('403');
      expect(await tpp().statusOf(consentId)).toBe(version === '3.1' ? 'Rejected' : 'RJCT');
    });
  });
}

/** No request for a single payment, whatever is in it, is answered in another way than the document of its version says. */
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
      const property = fc.asyncProperty(like('CreateDomesticPaymentConsents'), async (sent) => {
        const response = await tpp().post(consents, sent);
        expectDocumented('CreateDomesticPaymentConsents', response);
        if (response.status !== 201) return;
        const read = await tpp().get(`${consents}/${String(dataOf(response)['ConsentId'])}`);
        expect(read.json()).toEqual(response.json());
      });
      await fc.assert(property, fuzzSettings(100));
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
