import { randomUUID } from 'node:crypto';
import { londonDay } from '#libs/obie-rules';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aConsentRequest, decimal } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp, TestTpp } from '../../support/a-tpp.js';
import { iat, verifyDetached } from '../../support/detached-jws.js';
import { expectBodiless, expectObError } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { DomesticTpp } from '../domestic-payments/domestic-world.js';
import { CheckedTpp } from './checked-tpp.js';
import { consentIdOf, consents, dataOf, inDays } from './world.js';

const afterCutOff = 'Rules.AfterCutOffDateTime';
const path = 'Data.Initiation';

/** Writes the version of the address in another way. */
class TppOfOtherAddress extends TestTpp {
  override url(path: string): string {
    return super.url(path).replace('/v3.1/', '/v%33.1/');
  }
}

/** Settings that a bank may change from their defaults. */
describe('with other settings', () => {
  let sandbox: TestSandbox;
  let tpp: CheckedTpp;

  beforeAll(async () => {
    const environment = {
      READ_WRITE_VERSIONS: '3.1',
      REQUEST_SIGNATURE_VERIFICATION: 'log',
      // The cut-off of balance transfers has always passed, and that of FPS never: it does not run today, nor tomorrow
      // if the test crosses midnight.
      CUT_OFF_TIMES: 'reject,BalanceTransfer=00:00/daily,FPS=23:59',
      BANK_HOLIDAYS: [new Date(), new Date(Date.now() + 86_400_000)].map(londonDay).join(),
      REJECT_CONSENT_ON_FILE_MISMATCH: 'false',
      RESPONSE_SIGNATURE_FORM: 'b64-absent',
      CHAPS_CHARGE: '25.00',
      PAY_TO_WALLETS: 'true',
      // It would reject late consents before a request can arrive.
      HOUSEKEEPING_SECONDS: '3600',
    };
    sandbox = await startTestSandbox({ environment });
    tpp = new CheckedTpp(await aTpp(sandbox));
  });

  afterAll(async () => {
    tpp?.close();
    await sandbox?.stop();
  });

  const postSigned = (secondsAgo: number) =>
    tpp.post(consents, aConsentRequest(), { jws: { [iat]: Math.floor(Date.now() / 1_000) - secondsAgo } });

  it('REQUEST_SIGNATURE_MAX_AGE_SECONDS refuses a signature that was made too long ago', async () => {
    const { signing } = sandbox.config;
    Object.assign(signing, { requestVerification: 'enforce', maxAgeSeconds: new Map([['v3.1', 600]]) });
    expectObError(await postSigned(700), 400, 'Signature.InvalidClaim', iat);
    expect((await postSigned(500)).status).toBe(201);
    // The same route, written in another way.
    const old = { jws: { [iat]: Math.floor(Date.now() / 1_000) - 700 } };
    const written = new TppOfOtherAddress(tpp);
    expectObError(await written.post(consents, aConsentRequest(), old), 400, 'Signature.InvalidClaim', iat);
    Object.assign(signing, { requestVerification: 'log', maxAgeSeconds: new Map() });
  });

  const passCutOff = async (consentId: string): Promise<void> => {
    await sandbox.database.query(
      `UPDATE payment_consents SET cut_off_at = now() - interval '1 s', expires_at = now() - interval '1 s'
        WHERE consent_id = $1`,
      [consentId],
    );
  };

  /** The setting counts for each request; a sandbox for each of its values would take seconds. */
  const setTokenMode = (tokenMode: 'either' | 'psu_only' | 'client_only'): void => {
    Object.assign(sandbox.config.filePayment, { tokenMode });
  };

  describe('READ_WRITE_VERSIONS=3.1', () => {
    it('F4-008 answers 4.0 like an unknown path, with and without a certificate', async () => {
      const url = `${sandbox.description.base_url}/open-banking/v4.0/pisp${consents}`;
      for (const agent of [tpp.agent, sandbox.agent]) {
        expectBodiless(await httpsRequest({ url, method: 'POST', body: '{}', agent }), 404);
      }
    });
  });

  describe('CUT_OFF_TIMES=reject,…', () => {
    it('refuses a consent that comes after the cut-off of its day', async () => {
      const late = aConsentRequest({ initiation: { LocalInstrument: 'UK.OBIE.BalanceTransfer' } });
      expectObError(await tpp.post(consents, late), 400, afterCutOff, path);
    });

    it('accepts it for a later day, and says until when', async () => {
      const initiation = { LocalInstrument: 'UK.OBIE.BalanceTransfer', RequestedExecutionDateTime: inDays(3) };
      const response = await tpp.post(consents, aConsentRequest({ initiation }));
      expect(response.status).toBe(201);
      const cutOff = Date.parse(String(dataOf(response)['CutOffDateTime']));
      expect(cutOff).toBeGreaterThan(Date.now() + 86_400_000);
      expect(cutOff).toBeLessThan(Date.now() + 4 * 86_400_000);
    });

    it('refuses a file whose payment type turns out to be too late, and the consent with it', async () => {
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

  describe('CUT_OFF_TIMES=reject,…, of single payments', () => {
    it('DP-046 refuses a consent, an approval and a payment that come too late', async () => {
      const domestic = new DomesticTpp(tpp);
      const late = await domestic.consent({ LocalInstrument: 'UK.OBIE.BalanceTransfer' });
      expectObError(late, 400, afterCutOff, path);
      const unseen = await domestic.stage();
      const approved = await domestic.approve(await domestic.stage());
      for (const consentId of [unseen, approved.consentId]) await passCutOff(consentId);
      const { url } = await domestic.createAuthorizationRequest(unseen);
      const answer = await httpsRequest({ url, agent: sandbox.agent });
      expect(String(answer.headers.location)).toMatch(/error=invalid_request/);
      expectObError(await domestic.payFor(approved), 400, afterCutOff, path);
    });
  });

  describe('REJECT_CONSENT_ON_FILE_MISMATCH=false', () => {
    it.each([
      ['another sum', { ControlSum: decimal('1.00') }],
      ['another hash', { FileHash: Buffer.alloc(32).toString('base64') }],
    ])('refuses a file of %s, and does not change the consent', async (_title, initiation) => {
      const file = aPaymentFile();
      const consentId = await tpp.stageConsent(file, initiation);
      expectObError(await tpp.upload(consentId, file), 400, 'Field.Invalid');
      expect(await tpp.consentStatus(consentId)).toBe('AwaitingUpload');
    });

    it('accepts the right file afterwards', async () => {
      const file = aPaymentFile();
      const consentId = await tpp.stageConsent(file);
      expectObError(await tpp.upload(consentId, aPaymentFile({ payments: 3 })), 400, 'Field.Invalid');
      expect((await tpp.upload(consentId, file)).status).toBe(200);
    });
  });

  describe('RESPONSE_SIGNATURE_FORM=b64-absent', () => {
    it('signs answers to GET without b64, and those to POST in the form of the request', async () => {
      const created = await tpp.post(consents, aConsentRequest());
      const read = await tpp.get(`${consents}/${consentIdOf(created)}`);
      const forms = [created, read].map(({ headers, body }) =>
        verifyDetached(String(headers['x-jws-signature']), body, tpp.bankKeys),
      );
      expect(forms.map((header) => 'b64' in header)).toEqual([true, false]);
      expect(forms[1]?.['crit']).not.toContain('b64');
    });
  });

  describe('CHAPS_CHARGE', () => {
    const charges = [
      { ChargeBearer: 'BorneByDebtor', Type: 'UK.OBIE.CHAPSOut', Amount: { Amount: '25.00', Currency: 'GBP' } },
    ];

    it('is shown by consent and payment alike, and by no other type', async () => {
      const consent = await tpp.authorise(aPaymentFile(), { initiation: { LocalInstrument: 'UK.OBIE.CHAPS' } });
      expect(dataOf(await tpp.get(`${consents}/${consent.consentId}`))['Charges']).toEqual(charges);
      const paid = await tpp.pay(consent);
      expect(dataOf(paid)['Charges']).toEqual(charges);
      expect(dataOf(await tpp.post(consents, aConsentRequest()))['Charges']).toEqual([]);
    });

    it('is known if only the file says that it is CHAPS', async () => {
      const file = aPaymentFile({ item: () => ({ LocalInstrument: 'UK.OBIE.CHAPS' }) });
      const consentId = await tpp.stageFile(file, { LocalInstrument: undefined });
      const { Charges, Initiation } = dataOf(await tpp.get(`${consents}/${consentId}`));
      expect(Charges).toEqual(charges);
      expect(Initiation).not.toHaveProperty('LocalInstrument');
    });
  });

  describe('PAY_TO_WALLETS', () => {
    it('FP-192 has the bank pay to the wallet that the customer has approved', async () => {
      const identification = `wallet ${randomUUID()}`;
      const CreditorAccount = { SchemeName: 'UK.OBIE.Wallet', Identification: identification, Name: 'Ann' };
      const consent = await tpp.authorise(aPaymentFile({ item: () => ({ CreditorAccount }) }));
      const { rows } = await sandbox.database.query(
        'SELECT instructions FROM instruction_lists WHERE consent_id = $1',
        [consent.consentId],
      );
      expect(JSON.stringify(rows)).toContain(identification);
      expect((await tpp.pay(consent)).status).toBe(201);
    });
  });

  describe('FILE_PAYMENT_TOKEN_MODE', () => {
    afterEach(() => setTokenMode('either'));

    it('psu_only accepts only the token of the approval', async () => {
      setTokenMode('psu_only');
      const consent = await tpp.authorise();
      expectObError(await tpp.pay(consent), 403, /^UK\.SandboxBank\.Token\.WrongGrant$/, 'Authorization');
      expect(await tpp.consentStatus(consent.consentId)).toBe('Authorised');
      expect((await tpp.pay(consent, { accessToken: await tpp.exchangeCode(consent) })).status).toBe(201);
    });

    it('client_only accepts only the token of the client', async () => {
      setTokenMode('client_only');
      const consent = await tpp.authorise();
      const accessToken = await tpp.exchangeCode(consent);
      expectObError(await tpp.pay(consent, { accessToken }), 403, /^UK\.SandboxBank\.Token\.WrongGrant$/);
      expect((await tpp.pay(consent)).status).toBe(201);
    });
  });

  describe('REQUEST_SIGNATURE_VERIFICATION=log', () => {
    it.each([
      ['no signature', undefined],
      ['no detached JWS', 'abc'],
      ['a signature over something else', 'other'],
    ])('accepts %s', async (_title, value) => {
      const signature = value === 'other' ? tpp.signBody('{}') : value;
      const response = await tpp.post(consents, aConsentRequest(), { headers: { 'x-jws-signature': signature } });
      expect(response.status).toBe(201);
      expect(response.headers).toHaveProperty('x-jws-signature');
    });
  });
});
