import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aConsentRequest } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp } from '../../support/a-tpp.js';
import { expectObError } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { CheckedTpp } from './checked-tpp.js';
import { consents, dataOf, inDays } from './world.js';

const afterCutOff = 'Rules.AfterCutOffDateTime';
const path = 'Data.Initiation';

/** What a bank may want otherwise than the defaults have it. */
describe('with other settings', () => {
  let sandbox: TestSandbox;
  let tpp: CheckedTpp;

  beforeAll(async () => {
    const environment = {
      REQUEST_SIGNATURE_VERIFICATION: 'log',
      CUT_OFF_STRATEGY: 'reject',
      // It is always later than the one, and earlier than the other but for the last minute of a day.
      CUT_OFF_TIMES: 'BalanceTransfer=00:00/daily,FPS=23:59/daily',
    };
    sandbox = await startTestSandbox({ environment });
    tpp = new CheckedTpp(await aTpp(sandbox));
  }, 120_000);

  afterAll(async () => {
    tpp?.close();
    await sandbox?.stop();
  }, 60_000);

  const passCutOff = async (consentId: string): Promise<void> => {
    await sandbox.database.query(
      `UPDATE file_payment_consents SET cut_off_at = now() - interval '1 s', expires_at = now() - interval '1 s'
        WHERE consent_id = $1`,
      [consentId],
    );
  };

  describe('CUT_OFF_STRATEGY=reject', () => {
    it('refuses a consent that comes after the cut-off of its day', async () => {
      const late = aConsentRequest({ initiation: { LocalInstrument: 'UK.OBIE.BalanceTransfer' } });
      expectObError(await tpp.post(consents, late), 400, afterCutOff, path);
    });

    it('takes it for a later day, and says until when', async () => {
      const initiation = { LocalInstrument: 'UK.OBIE.BalanceTransfer', RequestedExecutionDateTime: inDays(3) };
      const response = await tpp.post(consents, aConsentRequest({ initiation }));
      expect(response.status).toBe(201);
      const cutOff = Date.parse(String(dataOf(response)['CutOffDateTime']));
      expect(cutOff).toBeGreaterThan(Date.now() + 86_400_000);
      expect(cutOff).toBeLessThan(Date.now() + 4 * 86_400_000);
    });

    it('refuses a file whose type only now turns out to be too late, and the consent with it', async () => {
      const file = aPaymentFile({ item: () => ({ LocalInstrument: 'UK.OBIE.BalanceTransfer' }) });
      const consentId = await tpp.stageConsent(file, { LocalInstrument: undefined });
      expectObError(await tpp.upload(consentId, file), 400, afterCutOff, path);
      expect(await tpp.consentStatus(consentId)).toBe('Rejected');
    });

    it('refuses a file after the cut-off, and the consent with it', async () => {
      const consentId = await tpp.stageConsent();
      await passCutOff(consentId);
      expectObError(await tpp.upload(consentId, aPaymentFile()), 400, afterCutOff, path);
      expect(await tpp.consentStatus(consentId)).toBe('Rejected');
    });

    it('lets nobody approve after the cut-off', async () => {
      const consentId = await tpp.stageFile();
      await passCutOff(consentId);
      const { url } = await tpp.createAuthorizationRequest(consentId);
      const answer = await httpsRequest({ url, agent: sandbox.agent });
      expect(String(answer.headers.location)).toMatch(/error=invalid_request/);
    });

    it('makes no payment after the cut-off', async () => {
      const consent = await tpp.authorise();
      await passCutOff(consent.consentId);
      expectObError(await tpp.pay(consent), 400, afterCutOff, path);
    });
  });

  describe('REQUEST_SIGNATURE_VERIFICATION=log', () => {
    it.each([
      ['no signature', undefined],
      ['no detached JWS', 'abc'],
      ['a signature over something else', 'other'],
    ])('goes on with %s', async (_title, value) => {
      const signature = value === 'other' ? tpp.sign('{}') : value;
      const response = await tpp.post(consents, aConsentRequest(), { headers: { 'x-jws-signature': signature } });
      expect(response.status).toBe(201);
      expect(response.headers).toHaveProperty('x-jws-signature');
    });
  });
});
