import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { TestTpp } from '../../../support/a-tpp.js';
import { expectObError, until } from '../../../support/expectations.js';
import type { TestResponse } from '../../../support/https-request.js';
import { consentIdOf, consents, dataOf } from '../world.js';
import { aConsent, expectError40, type GetWorld40 } from './world-40.js';

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
export function describeVersions(world: GetWorld40): void {
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
}
