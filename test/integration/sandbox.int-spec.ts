import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { verifyCertificateChain } from '#libs/certificates';
import { enrolTpp, readDescription, type SandboxDescription } from '../support/apps/sandbox.js';
import { startSandbox, type RunningSandbox } from '../support/apps/start-sandbox.js';
import { freePorts } from '../support/free-port.js';
import { openTestPool } from '../support/open-test-pool.js';
import { useChallenges } from '../support/used-challenges.js';

const ports = await freePorts();
const alice = '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a01';
const dave = '0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a04';
const payroll = { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '20000112345678' };
const filePaymentId = '01932b5e-0000-7000-8000-000000000001';

interface Answer {
  status: number;
  body: Record<string, unknown>;
  text: string;
}

const batch = (total: string) => ({
  fileId: '01932b5e-0000-7000-8000-00000000000f',
  psuId: alice,
  debtorAccount: payroll,
  total,
  currency: 'GBP',
  numberOfPayments: 2,
  payeesHash: 'x'.repeat(43),
  challengeIds: ['nobody'],
  localInstrument: 'UK.OBIE.FPS',
});
const payment = (paymentId: string, amount: string): object => ({
  paymentId,
  filePaymentId,
  debtorAccount: payroll,
  creditorAccount: { ...payroll, identification: '20000187654321', name: 'Supplier' },
  amount,
  currency: 'GBP',
  localInstrument: 'UK.OBIE.FPS',
});

describe('the sandbox without the applications', () => {
  let directory: string;
  let sandbox: RunningSandbox;
  let ca: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
    sandbox = await startSandbox({ directory, ports, apps: {} });
    ca = await readFile(resolve(sandbox.description.ca_file), 'utf8');
  });

  afterAll(async () => {
    await sandbox.stop();
    await sandbox.postgres.remove();
    await rm(directory, { recursive: true, force: true });
  });

  const call = async (
    url: string,
    options: { method?: string; body?: object; key?: string; certificate?: { cert: string; key: string } } = {},
  ): Promise<Answer> =>
    new Promise((resolveAnswer, reject) => {
      const { method = options.body ? 'POST' : 'GET', body, key, certificate } = options;
      const outgoing = request(
        url,
        {
          method,
          ca,
          agent: false,
          ...certificate,
          headers: {
            'x-fapi-interaction-id': '3a3f8c0e-8d4e-4b56-9f6a-0d0e4b8f6f11',
            ...(body && { 'content-type': 'application/json' }),
            ...(key && { 'idempotency-key': key, 'x-hand-over-attempt': '1' }),
          },
        },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8');
          incoming.on('data', (chunk: string) => (text += chunk));
          incoming.on('end', () => {
            const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : {};
            resolveAnswer({ status: incoming.statusCode ?? 0, body: parsed as Record<string, unknown>, text });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body && JSON.stringify(body));
    });

  const callBank = async (path: string, options: { body?: object; key?: string } = {}): Promise<Answer> => {
    const { url, clientCertificate: cert, clientPrivateKey: key } = sandbox.config.bank;
    return call(`${url}${path}`, { ...options, certificate: { cert, key } });
  };

  const approved = async <Batch extends ReturnType<typeof batch>>(own: Batch): Promise<Batch> => {
    const bank = openTestPool({ connectionString: sandbox.postgres.url('sandbox_bank'), max: 1 });
    const challengeIds = await useChallenges(bank, [own.psuId], own);
    await bank.end();
    return { ...own, challengeIds };
  };

  const wrongPassword = (username: string): Promise<Answer> =>
    callBank('/psu-authentication/password', { body: { username, password: 'wrong' } });

  const balance = async (): Promise<unknown> => {
    const { body } = await callBank(`/psus/${alice}/payment-accounts`);
    return (body['accounts'] as { availableBalance: string }[])[0]?.availableBalance;
  };

  const statementOf = async (description: SandboxDescription, index: number): Promise<string> => {
    const tpp = description.tpps[index];
    return (await call(`${description.directory.base_url}/${tpp?.org_id}/${tpp?.software_id}/software-statement`)).text;
  };

  describe('sandbox.json', () => {
    it('names two TPPs of different organisations and the customers with their accounts', async () => {
      const description = await readDescription(directory);
      expect(description).toEqual(sandbox.description);
      expect(new Set(description.tpps.map(({ org_id }) => org_id)).size).toBe(2);
      expect(description.customers.length).toBeGreaterThanOrEqual(3);
      for (const { accounts } of description.customers) expect(accounts.length).toBeGreaterThan(1);
      expect(description.customers[0]?.psu_id).toBe('0b7f2c52-4a51-4f0e-9d55-1f6c6f1d2a01');
      expect(description.issuer).toBe(`${description.base_url}/open-banking/v3.0`);
    });

    it('leads to certificates of the sandbox authority, and to private keys that only their owner can read', async () => {
      for (const tpp of sandbox.description.tpps) {
        const certificate = new X509Certificate(await readFile(resolve(tpp.transport_cert_file), 'utf8'));
        const trustAnchors = [new X509Certificate(ca)];
        expect(() =>
          verifyCertificateChain({ certificate, intermediates: [], trustAnchors, now: new Date() }),
        ).not.toThrow();
        for (const file of [tpp.transport_key_file, tpp.signing_key_file]) {
          expect((await stat(resolve(file))).mode & 0o777).toBe(0o600);
        }
      }
    });
  });

  describe('the directory', () => {
    it('signs software statements that its own key set verifies', async () => {
      const keys = await call(sandbox.description.directory.jwks_uri);
      const keySet = createLocalJWKSet(keys.body as unknown as JSONWebKeySet);
      const [tpp] = sandbox.description.tpps;
      const file = await readFile(resolve(tpp?.software_statement_file ?? ''), 'utf8');
      for (const statement of [file, await statementOf(sandbox.description, 0)]) {
        const { payload } = await jwtVerify(statement, keySet, { algorithms: ['PS256'] });
        expect(payload).toMatchObject({
          iss: 'OpenBanking Sandbox Directory',
          software_id: tpp?.software_id,
          software_jwks_endpoint: tpp?.jwks_uri,
        });
      }
    });

    it('publishes the keys of software and organisation, and no revoked ones', async () => {
      const [tpp, other] = sandbox.description.tpps;
      const { body } = await call(tpp?.jwks_uri ?? '');
      expect(body['keys']).toEqual([
        expect.objectContaining({ use: 'sig', kid: tpp?.signing_kid }),
        expect.objectContaining({ use: 'tls' }),
      ]);
      const base = `${sandbox.description.directory.base_url}/${tpp?.org_id}`;
      expect((await call(`${base}/${tpp?.org_id}.jwks`)).body).toEqual(body);
      expect((await call(`${base}/revoked/${tpp?.software_id}.jwks`)).body).toEqual({ keys: [] });
      expect((await call(`${base}/${other?.software_id}.jwks`)).status).toBe(404);
      expect((await call(`${base}/..%2F..%2Fsecrets.jwks`)).status).toBe(404);
    });

    it('knows TPPs that are enrolled while it runs, even two at once', async () => {
      const redirectUris = ['https://late.example.com/cb'];
      const [rsa, ec] = await Promise.all([
        enrolTpp(directory, { name: 'Late One', redirectUris, keyType: 'rsa' }, new Date()),
        enrolTpp(directory, { name: 'Late Two', redirectUris, keyType: 'ec' }, new Date()),
      ]);
      const names = (await readDescription(directory)).tpps.map(({ name }) => name);
      expect(names.slice(2).sort()).toEqual(['Late One', 'Late Two']);
      expect((await call(rsa.jwks_uri)).body['keys']).toHaveLength(2);
      expect((await call(ec.jwks_uri)).text).toContain('P-256');
    });
  });

  describe('the bank', () => {
    it('accepts nobody without the service certificate, not even TPPs', async () => {
      const [tpp] = sandbox.description.tpps;
      const certificate = {
        cert: await readFile(resolve(tpp?.transport_cert_file ?? ''), 'utf8'),
        key: await readFile(resolve(tpp?.transport_key_file ?? ''), 'utf8'),
      };
      const url = `${sandbox.config.bank.url}/psus/${alice}/payment-accounts`;
      await expect(call(url)).rejects.toThrow();
      await expect(call(url, { certificate })).rejects.toThrow();
    });

    it('authenticates a customer in two steps, and does not say which part was wrong', async () => {
      const right = await callBank('/psu-authentication/password', {
        body: { username: 'alice', password: 'alice-password' },
      });
      expect(right).toMatchObject({ status: 200, body: { psuId: alice, displayName: 'Alice Archer' } });
      const code = await callBank('/psu-authentication/one-time-code', {
        body: { psuId: alice, oneTimeCode: '111111' },
      });
      expect(code).toMatchObject({ status: 200, body: { acr: 'urn:openbanking:psd2:sca' } });
      for (const body of [
        { username: 'alice', password: 'wrong' },
        { username: 'nobody', password: 'alice-password' },
      ]) {
        expect(await callBank('/psu-authentication/password', { body })).toMatchObject({
          status: 401,
          body: { reason: 'InvalidCredentials' },
        });
      }
    });

    it('locks nobody whose correct sign-ins arrive at once', async () => {
      const body = { username: 'alice', password: 'alice-password' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => callBank('/psu-authentication/password', { body })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    });

    it('locks after five failures, however many come at once', async () => {
      const guesses = Array.from({ length: 12 }, (_, index) =>
        callBank('/psu-authentication/one-time-code', { body: { psuId: dave, oneTimeCode: `00000${index % 10}` } }),
      );
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
      expect(statuses.filter((status) => status === 423)).toHaveLength(7);
      const right = await callBank('/psu-authentication/password', {
        body: { username: 'dave', password: 'dave-password' },
      });
      expect(right).toMatchObject({ status: 423, body: { reason: 'Locked' } });
    });

    it('locks an unknown name like that of a customer, so that the answers do not reveal customers', async () => {
      const guesses = Array.from({ length: 12 }, () => wrongPassword('mallory'));
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(5);
      expect(statuses.filter((status) => status === 423)).toHaveLength(7);
      expect((await wrongPassword('trent')).status).toBe(401);
    });

    it('reserves a file once, pays each payment once, and gives back what was rejected', async () => {
      expect(await balance()).toBe('100000000.00');
      const body = await approved(batch('30.99'));
      const reservations = await Promise.all(
        [1, 2, 3].map(() => callBank('/payment-batches', { body, key: filePaymentId })),
      );
      for (const { body: decision } of reservations) expect(decision).toEqual({ decision: 'Accepted' });
      expect(await balance()).toBe('99999969.01');

      const answers = await Promise.all(
        ['a', 'a', 'a'].map((id) => callBank('/payments', { body: payment(id, '20.00'), key: id })),
      );
      for (const { body: paid } of answers) expect(paid).toEqual({ status: 'AcceptedCreditSettlementCompleted' });
      const refused = await callBank('/payments', { body: payment('b', '10.99'), key: 'b' });
      expect(refused.body).toMatchObject({ status: 'Rejected', statusDetail: { reason: 'ProprietaryRejection' } });
      expect(await balance()).toBe('99999980.00');
      expect((await callBank('/payments/b')).body).toEqual(refused.body);
    });

    it('refuses another request under the same key, and a payment that nothing was reserved for', async () => {
      const otherBatch = await callBank('/payment-batches', { body: batch('1.00'), key: filePaymentId });
      const otherPayment = await callBank('/payments', { body: payment('a', '1.00'), key: 'a' });
      const beyond = await callBank('/payments', { body: payment('c', '0.01'), key: 'c' });
      expect([otherBatch, otherPayment, beyond].map(({ status }) => status)).toEqual([409, 409, 422]);
      expect((await callBank('/payments/c')).status).toBe(404);
    });

    it('refuses a file for want of funds, from a blocked account, and from an account of somebody else', async () => {
      const scheme = payroll.schemeName;
      const reasonFor = async (identification: string, total: string, key: string): Promise<unknown> => {
        const debtorAccount = { schemeName: scheme, identification };
        const body = await approved({ ...batch(total), psuId: dave, debtorAccount });
        return (await callBank('/payment-batches', { body, key })).body['reason'];
      };
      expect(await reasonFor('20000144556677', '12.51', 'poor')).toBe('InsufficientFunds');
      expect(await reasonFor('20000144556699', '1.00', 'blocked')).toBe('AccountBlocked');
      expect(await reasonFor(payroll.identification, '1.00', 'foreign')).toBe('AccountBlocked');
    });

    it.each([
      ['/payments', { paymentId: 'x' }],
      ['/payment-batches', { ...batch('ten') }],
      ['/psu-authentication/password', { username: 'alice', password: 1 }],
      ['/psu-authentication/password', []],
    ])('answers 400 to an unusable request of %s', async (path, body) => {
      expect(await callBank(path, { body, key: 'k' })).toMatchObject({
        status: 400,
        body: { reason: 'InvalidRequest' },
      });
    });
  });

  describe('starting it', () => {
    it('says in one line that it is already running, that a port is in use, or that a folder cannot be used', async () => {
      await expect(startSandbox({ directory, ports, apps: {} })).rejects.toThrow('is already running');

      const other = join(directory, 'other');
      const taken = { ...(await freePorts()), api: sandbox.ports.directory };
      await expect(startSandbox({ directory: other, ports: taken, apps: {} })).rejects.toThrow(
        `Port ${sandbox.ports.directory} (api) is in use: stop what listens there, or choose another port with API_PORT=<port>.`,
      );

      const file = join(directory, 'sandbox.json', 'below-a-file');
      await expect(startSandbox({ directory: file, ports, apps: {} })).rejects.toThrow('cannot write to');
    });
  });
});
