import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agingTables } from '../../support/apps/bank.js';
import { enrolTpp, readDescription, revokeCertificate } from '../../support/apps/sandbox.js';
import { runSandboxCommand } from '../../support/apps/commands.js';
import { requestToken } from '../../support/apps/tpp.js';
import { aConsentRequest, anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

describe("one TPP's world in the sandbox", () => {
  let sandbox: TestSandbox;
  let tpp: TestTpp;
  let other: TestTpp;

  beforeAll(async () => {
    sandbox = await startTestSandbox({ environment: { ACCESS_TOKEN_SECONDS: '86400' } });
    [tpp, other] = await Promise.all([aTpp(sandbox), aTpp(sandbox, { index: 1 })]);
  });

  afterAll(async () => {
    tpp?.close();
    other?.close();
    await sandbox?.stop();
  });

  const control = (...parameters: string[]): Promise<string> => runSandboxCommand(sandbox.directory, parameters);
  const fault = (name: string, times?: string): Promise<string> =>
    control('fault', 'set', 'TPP One', name, ...(times === undefined ? [] : ['--times', times]));

  describe('time', () => {
    it('a consent expires for one TPP, and not for another', async () => {
      const file = aPaymentFile();
      const [mine, theirs] = await Promise.all([tpp.stageConsent(file), other.stageConsent(file)]);
      expect(await control('clock', 'TPP One', '+23h')).toContain('have passed for TPP One');
      await control('clock', 'TPP One', '+2h');
      tpp = await aTpp(sandbox);
      const { rows } = await sandbox.database.query<{ consent_id: string; age: number; is_over: boolean }>(
        `SELECT consent_id, round(extract(epoch FROM now() - created_at) / 3600)::int AS age, expires_at < now() AS is_over
         FROM payment_consents WHERE consent_id = ANY ($1::uuid[]) ORDER BY age`,
        [[mine, theirs]],
      );
      expect(rows).toEqual([
        { consent_id: theirs, age: 0, is_over: false },
        { consent_id: mine, age: 25, is_over: true },
      ]);
      expect((await other.upload(theirs, file)).status).toBe(200);
    });

    it('access tokens and idempotency keys end, too', async () => {
      const own = await aTpp(sandbox);
      const headers = { 'x-idempotency-key': randomUUID() };
      const first = await own.post('/file-payment-consents', aConsentRequest(), { headers });
      const again = await own.post('/file-payment-consents', aConsentRequest(), { headers });
      const idOf = (response: typeof first): unknown => (response.json()['Data'] as { ConsentId: string }).ConsentId;
      expect(idOf(again)).toBe(idOf(first));
      await control('clock', 'TPP One', '+25h');
      expect((await own.get(`/file-payment-consents/${String(idOf(first))}`)).status).toBe(401);
      const { rows } = await sandbox.database.query(
        'SELECT FROM idempotency_keys WHERE idempotency_key = $1 AND expires_at > now()',
        [headers['x-idempotency-key']],
      );
      expect(rows).toHaveLength(0);
      own.close();
    });

    it('a payment of a later day is made when that day has come, and settles', async () => {
      const own = await aTpp(sandbox);
      const day = new Date(Date.now() + 2 * 86_400_000).toISOString();
      const file = aPaymentFile({ item: () => ({ RequestedExecutionDateTime: day }) });
      const initiation = { RequestedExecutionDateTime: day };
      const consent = await own.authorise(file, { initiation });
      const paid = await own.pay(consent, { accessToken: await own.exchangeCode(consent) });
      expect(paid.status).toBe(201);
      const { FilePaymentId } = paid.json()['Data'] as { FilePaymentId: string };
      const statuses = async (accessToken: string): Promise<string[]> => {
        const { Data } = (await own.get(`/file-payments/${FilePaymentId}/report-file`, { accessToken })).json() as {
          Data: { DomesticPayments: { Status: string }[] };
        };
        return Data.DomesticPayments.map(({ Status }) => Status);
      };
      await until(async () => (await handedOver(sandbox, FilePaymentId)) === 2);
      expect(await statuses(own.accessToken)).toEqual(['Pending', 'Pending']);
      await control('clock', 'TPP One', '+3d');
      // The registration has not aged; the token has.
      const token = await freshToken(own);
      await until(async () => (await statuses(token)).every((status) => status !== 'Pending'));
      expect(await statuses(token)).toEqual(['AcceptedCreditSettlementCompleted', 'AcceptedCreditSettlementCompleted']);
      own.close();
    });

    it('passes in every table, but for those in which no TPP has its own', async () => {
      const { rows } = await sandbox.database.query<{ name: string }>(
        `SELECT DISTINCT table_name AS name FROM information_schema.columns
         WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'`,
      );
      const others = [
        'access_consent_ends',
        'approval_sessions',
        'audit_events',
        'audit_seals',
        'clients',
        'decline_notices',
        'domain_events',
        'operator_requests',
        'payment_stops',
        'used_jwt_ids',
      ];
      expect(rows.map(({ name }) => name).toSorted()).toEqual([...Object.keys(agingTables), ...others].toSorted());
    });

    it('is said when the duration or the TPP is none', async () => {
      await expect(control('clock', 'TPP One', '2y')).rejects.toThrow('It must be a number with s, m, h or d');
      await expect(control('clock', 'Nobody', '+2h')).rejects.toThrow('"TPP One"');
    });
  });

  describe('faults', () => {
    it('gateway-timeout: the answer is lost after the work is done, and the same key finds it', async () => {
      const own = await aTpp(sandbox);
      await fault('gateway-timeout', '1');
      const headers = { 'x-idempotency-key': randomUUID() };
      const lost = await own.post('/file-payment-consents', aConsentRequest(), { headers });
      expect([lost.status, lost.text, lost.headers['x-jws-signature']]).toEqual([504, '', undefined]);
      const { rows } = await sandbox.database.query<{ resource_id: string }>(
        'SELECT resource_id FROM idempotency_keys WHERE idempotency_key = $1',
        [headers['x-idempotency-key']],
      );
      const again = await own.post('/file-payment-consents', aConsentRequest(), { headers });
      expect(again.status).toBe(201);
      expect((again.json()['Data'] as { ConsentId: string }).ConsentId).toBe(rows[0]?.resource_id);
      // Nobody else has noticed, and a refusal is no answer to lose.
      await fault('gateway-timeout');
      expect((await other.post('/file-payment-consents', aConsentRequest())).status).toBe(201);
      expect((await own.post('/file-payment-consents', '{}')).status).toBe(400);
      expect((await own.get(`/file-payment-consents/${rows[0]?.resource_id}`)).status).toBe(200);
      await control('fault', 'clear', 'TPP One');
      expect((await own.post('/file-payment-consents', aConsentRequest())).status).toBe(201);
      own.close();
    });

    it('directory-dead: a TPP whose keys are unavailable is not registered', async () => {
      const request = { name: 'Deadly', redirectUris: ['https://deadly.example.com/cb'], keyType: 'ec' as const };
      await enrolTpp(sandbox.directory, request, new Date());
      const description = await readDescription(sandbox.directory);
      await control('fault', 'set', 'Deadly', 'directory-dead');
      const at = { ...sandbox, description };
      const index = description.tpps.length - 1;
      await expect(aTpp(at, { index })).rejects.toThrow(/500|503/);
      await control('fault', 'clear', 'Deadly');
    });

    it('directory-slow: requests for the keys wait, as often as configured, only for this TPP', async () => {
      const [slow, quick] = sandbox.description.tpps;
      const keys = (at: typeof slow, signal?: AbortSignal): Promise<number> =>
        new Promise((resolve, reject) => {
          const options = { ca: sandbox.ca, ...(signal && { signal }) };
          get(at?.jwks_uri ?? '', options, ({ statusCode = 0 }) => resolve(statusCode)).on('error', reject);
        });
      await fault('directory-slow', '1');
      const patience = new AbortController();
      const waiting = keys(slow, patience.signal).catch((error: Error) => error.name);
      // From then on the one that was asked for is under way.
      await until(async () => (await control('fault', 'list')) === '[]');
      expect([await keys(quick), await keys(slow)]).toEqual([200, 200]);
      patience.abort();
      expect(await waiting).toBe('AbortError');
    });

    it('reject-payments: every payment of the file comes back rejected', async () => {
      const own = await aTpp(sandbox);
      await fault('reject-payments');
      const file = aPaymentFile();
      const consent = await own.authorise(file);
      const paid = await own.pay({ ...consent, initiation: anInitiation(file) });
      const { FilePaymentId } = paid.json()['Data'] as { FilePaymentId: string };
      await until(async () => (await handedOver(sandbox, FilePaymentId)) === 2);
      const report = (await own.get(`/file-payments/${FilePaymentId}/report-file`)).json() as {
        Data: { DomesticPayments: { Status: string }[] };
      };
      expect(report.Data.DomesticPayments.map(({ Status }) => Status)).toEqual(['Rejected', 'Rejected']);
      await control('fault', 'clear', 'TPP One');
      own.close();
    });

    it('a revoked certificate counts within seconds', async () => {
      const request = { name: 'Revoked', redirectUris: ['https://revoked.example.com/cb'], keyType: 'rsa' as const };
      await enrolTpp(sandbox.directory, request, new Date());
      const description = await readDescription(sandbox.directory);
      const index = description.tpps.length - 1;
      const own = await aTpp({ ...sandbox, description }, { index });
      const file = description.tpps[index]?.transport_cert_file ?? '';
      await revokeCertificate({ directory: sandbox.directory, file, now: new Date() });
      await until(async () => (await own.get('/file-payment-consents/x')).status === 401);
      own.close();
    });

    it('lists active faults, and refuses unknown ones', async () => {
      await fault('directory-slow', '3');
      expect(JSON.parse(await control('fault', 'list'))).toEqual([
        { softwareId: sandbox.description.tpps[0]?.software_id, fault: 'directory-slow', times: 3 },
      ]);
      await control('fault', 'clear', 'TPP One');
      expect(JSON.parse(await control('fault', 'list'))).toEqual([]);
      await expect(fault('earthquake')).rejects.toThrow('gateway-timeout');
      await expect(fault('directory-slow', '0')).rejects.toThrow('--times');
    });
  });

  describe('who may ask', () => {
    it('only who can read the token of this run', async () => {
      expect((await stat(join(sandbox.directory, 'control-token'))).mode & 0o777).toBe(0o600);
      const url = `${sandbox.description.directory.base_url}/sandbox/time`;
      const body = JSON.stringify({ softwareId: sandbox.description.tpps[0]?.software_id, milliseconds: 1 });
      const headers = { 'content-type': 'application/json' };
      for (const authorization of [undefined, 'Bearer x']) {
        const answer = await httpsRequest({
          url,
          method: 'POST',
          headers: { ...headers, authorization },
          body,
          agent: sandbox.agent,
        });
        expect(answer.status).toBe(401);
      }
      const faults = `${sandbox.description.directory.base_url}/sandbox/faults`;
      expect((await httpsRequest({ url: faults, agent: sandbox.agent })).status).toBe(401);
    });

    it('the services themselves have no such address', async () => {
      for (const origin of [sandbox.description.base_url, new URL(sandbox.description.token_endpoint).origin]) {
        for (const path of ['time', 'faults']) {
          const answer = await httpsRequest({
            url: `${origin}/sandbox/${path}`,
            method: 'POST',
            body: '{}',
            agent: tpp.agent,
          });
          expect(answer.status).toBe(404);
        }
      }
    });
  });
});

async function freshToken(tpp: TestTpp): Promise<string> {
  const { client, provider, credentials, clientId } = tpp;
  const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
  return (await requestToken({ client, provider, credentials, clientId, grant })).access_token;
}

/** @returns how many payments of a file the bank has been given */
async function handedOver(sandbox: TestSandbox, filePaymentId: string): Promise<number> {
  const { rowCount } = await sandbox.database.query(
    'SELECT FROM payments WHERE payment_order_id = $1 AND handed_over_at IS NOT NULL',
    [filePaymentId],
  );
  return rowCount ?? 0;
}
