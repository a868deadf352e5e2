import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { request as httpsCall, type Agent } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestToken } from '../../support/apps/tpp.js';
import { loadSandboxConfig } from '../../support/load-sandbox-config.js';
import { startAdminServer, Telemetry } from '#libs/telemetry';
import { sandboxEnvironment } from '../../support/apps/sandbox.js';
import { ensureTrustFramework, type TrustFramework } from '../../support/apps/trust.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { aCertificate, type TestCertificate } from '../../support/certificates.js';
import { until } from '../../support/expectations.js';
import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

let sandbox: TestSandbox;
let tpp: TestTpp;
let other: TestTpp;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  [tpp, other] = await Promise.all([aTpp(sandbox), aTpp(sandbox, { index: 1 })]);
  // Notes are gathered for some seconds before they are written: the last test looks at them.
  await failToAuthenticate();
});

/** An unknown client, a foreign signature, and good credentials over another software's certificate. */
async function failToAuthenticate(): Promise<void> {
  const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
  const { provider, credentials, clientId, client } = tpp;
  const attempts = [
    { client, credentials, clientId: randomUUID() },
    { client, credentials: { ...other.credentials, clientId }, clientId },
    { client: other.client, credentials, clientId },
  ];
  for (const attempt of attempts) {
    await expect(requestToken({ provider, grant, ...attempt })).rejects.toThrow('401');
  }
}

afterAll(async () => {
  tpp?.close();
  other?.close();
  await sandbox?.stop();
});

interface Answer {
  status: number;
  text: string;
}

/** Asks the administration port. */
async function ask(path: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: sandbox.ports.admin, path, method }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.on('error', reject).end();
  });
}

/** @returns the value of a sample, by its name and some of its labels */
function sample(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const line = text
    .split('\n')
    .find(
      (entry) =>
        (entry.startsWith(`${name}{`) || entry.startsWith(`${name} `)) &&
        Object.entries(labels).every(([label, value]) => entry.includes(`${label}="${value}"`)),
    );
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

const inFlight = (): Promise<number> => counted('open_banking_http_requests_in_flight', { app: 'api' });

describe('GET /metrics on the administration port', () => {
  it('counts requests by route and status, with their times, and by nothing that a caller sends', async () => {
    const secret = randomUUID();
    expect((await tpp.get(`/file-payment-consents/${secret}`)).status).toBe(400);
    await httpsRequest({ url: `${sandbox.description.base_url}/${secret}?code=${secret}`, agent: sandbox.agent });
    await httpsRequest({ url: `${sandbox.description.base_url}/docs`, method: 'POST', agent: sandbox.agent });

    const { status, text } = await ask('/metrics');
    expect(status).toBe(200);
    const route = '/open-banking/v3.1/pisp/file-payment-consents/:ConsentId';
    const labels = { app: 'api', area: 'payment initiation', method: 'GET', route };
    expect(sample(text, 'open_banking_http_requests_total', { ...labels, status: '400' })).toBe(1);
    expect(sample(text, 'open_banking_http_request_duration_seconds_count', labels)).toBe(1);
    expect(sample(text, 'open_banking_http_request_duration_seconds_bucket', { ...labels, le: '+Inf' })).toBe(1);
    expect(sample(text, 'open_banking_http_request_duration_seconds_sum', labels)).toBeGreaterThan(0);
    expect(sample(text, 'open_banking_http_requests_total', { route: 'unknown', status: '404' })).toBe(1);
    expect(sample(text, 'open_banking_http_requests_total', { app: 'token', status: '200' })).toBeGreaterThan(0);
    expect(text).not.toContain(secret);
  });

  it('shows availability, the pool, certificates and the process', async () => {
    const { text } = await ask('/metrics');
    for (const area of ['authorize', 'token', 'payment initiation', 'registration', 'discovery']) {
      expect([area, sample(text, 'open_banking_area_up', { area })]).toEqual([area, 1]);
      expect(sample(text, 'open_banking_area_downtime_seconds_total', { area })).toBe(0);
    }
    for (const app of ['authorize', 'token', 'api', 'worker']) {
      expect(sample(text, 'open_banking_database_connections_limit', { app })).toBe(10);
      expect(sample(text, 'open_banking_database_waiting_requests', { app })).toBe(0);
    }
    expect(sample(text, 'open_banking_certificate_expiry_days', { setting: 'TLS_CERTIFICATE' })).toBeGreaterThan(1);
    expect(sample(text, 'open_banking_certificate_expiry_days', { setting: 'CLIENT_TRUST_ANCHORS' })).toBeGreaterThan(
      1,
    );
    // The key set of the software that has asked for a token.
    const fetched = { call: 'fetch document', status: '200' };
    expect(sample(text, 'open_banking_outgoing_requests_total', fetched)).toBeGreaterThan(0);
    expect(
      sample(text, 'open_banking_outgoing_request_duration_seconds_count', { call: 'fetch document' }),
    ).toBeGreaterThan(0);
    expect(sample(text, 'open_banking_http_requests_in_flight', { app: 'api' })).toBe(0);
    expect(sample(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
    expect(sample(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  it('counts a caller who disconnects as aborted, and misses nobody', async () => {
    const url = tpp.url(`/file-payment-consents/${randomUUID()}/file`);
    const headers = {
      authorization: `Bearer ${tpp.accessToken}`,
      'content-type': 'application/json',
      'content-length': 9,
    };
    const call = httpsCall(url, { method: 'POST', agent: tpp.agent, headers });
    call.on('error', () => undefined); // given up below
    // Less than was announced, and then nothing.
    call.write('{');
    await until(async () => (await inFlight()) === 1);
    call.destroy();
    await until(async () => (await counted('open_banking_http_requests_total', { status: 'aborted' })) === 1);
    expect(await inFlight()).toBe(0);
  });
});

describe('health on the administration port', () => {
  it('says that the process lives and is ready', async () => {
    expect(await ask('/health/live')).toEqual({ status: 200, text: '{"status":"ok"}\n' });
    const ready = await ask('/health/ready');
    expect(ready.status).toBe(200);
    expect(JSON.parse(ready.text)).toEqual({
      status: 'ok',
      checks: {
        keys: 'ok',
        'authorize database': 'ok',
        'token database': 'ok',
        'api database': 'ok',
        'worker database': 'ok',
      },
    });
  });

  it('denies readiness while the schema is older than the program, and says what to do', async () => {
    const { rows } = await sandbox.database.query<{ id: number; timestamp: string; name: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING *',
    );
    const [last] = rows;
    const ready = await ask('/health/ready');
    expect(ready.status).toBe(503);
    expect((JSON.parse(ready.text) as { checks: unknown }).checks).toMatchObject({
      'api database': `the schema lacks 1 migrations, the first is ${last?.name}: run the migration job`,
    });
    // It was ready before: requests may continue coming, to be served or to be told when to come again.
    const serving = await ask('/health/serving');
    expect([serving.status, JSON.parse(serving.text)]).toMatchObject([200, { status: 'ok' }]);
    const publicAnswer = await httpsRequest({
      url: `${sandbox.description.base_url}/health/ready`,
      agent: sandbox.agent,
    });
    expect([publicAnswer.status, publicAnswer.text]).toEqual([503, '']);
    await sandbox.database.query('INSERT INTO migrations (id, timestamp, name) VALUES ($1, $2, $3)', [
      last?.id,
      last?.timestamp,
      last?.name,
    ]);
    expect((await ask('/health/ready')).status).toBe(200);
  });

  it('answers nothing else', async () => {
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/constructor')).status).toBe(404);
    expect((await ask('/metrics', 'POST')).status).toBe(405);
  });
});

describe('TLS on the administration port', () => {
  let operators: TestCertificate;
  let trust: TrustFramework;

  beforeAll(async () => {
    operators = await aCertificate({ profile: 'authority', name: 'Authority of operators' });
    trust = await ensureTrustFramework({ directory: sandbox.directory, now: new Date() });
  });

  /** Calls /health/live with these TLS settings. */
  async function withAdminPort(
    settings: Record<string, string>,
    use: (live: (agent: Agent) => Promise<number>, port: number) => Promise<void>,
  ): Promise<void> {
    const { directory, ports, databaseUrl } = sandbox;
    const config = await loadSandboxConfig(
      sandboxEnvironment({ directory, ports, databaseUrl, trust, overrides: settings }),
    );
    const server = await startAdminServer(config, 0, new Telemetry(config));
    const url = `https://localhost:${server.port}/health/live`;
    try {
      await use(async (agent) => (await httpsRequest({ url, agent })).status, server.port);
    } finally {
      await server.close();
    }
  }

  it('answers with TLS and not without', async () => {
    await withAdminPort({ ADMIN_TRUST_ANCHORS: operators.certificate }, async (_live, port) => {
      const plain = new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port, path: '/health/live' }, resolve).on('error', reject).end();
      });
      await expect(plain).rejects.toThrow(/socket hang up|ECONNRESET/);
    });
  });

  it('answers those whom the authority of operators has certified, and no TPP', async () => {
    const scraper = await aCertificate({ profile: 'bank-client', name: 'scraper', issuer: operators });
    const { ca } = sandbox;
    const agent = httpsAgent({ ca, certificate: scraper.certificate, privateKey: scraper.privateKeyPem });
    await withAdminPort({ ADMIN_TRUST_ANCHORS: operators.certificate }, async (live) => {
      expect(await live(agent)).toBe(200);
      for (const stranger of [sandbox.agent, tpp.agent]) await expect(live(stranger)).rejects.toThrow();
    });
    agent.destroy();
  });
});

async function counted(name: string, labels: Record<string, string>): Promise<number> {
  return sample((await ask('/metrics')).text, name, labels) ?? 0;
}

describe('a caller that goes away in the middle of a body', () => {
  it('is counted as such, and is not an outage of the database', async () => {
    const host = 'localhost';
    const socket = connect({ port: sandbox.ports.authorize, host, servername: host, ca: sandbox.ca });
    await once(socket, 'secureConnect');
    const headers = 'Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100';
    socket.write(`POST /sign-in HTTP/1.1\r\n${headers}\r\n\r\nusername=`);
    await until(async () => (await counted('open_banking_http_requests_in_flight', { app: 'authorize' })) === 1);
    socket.destroy();
    const aborted = { route: '/sign-in', method: 'POST', status: 'aborted' };
    await until(async () => (await counted('open_banking_http_requests_total', aborted)) === 1);
    const log = await readFile(join(sandbox.directory, 'service.log'), 'utf8');
    expect(log).not.toContain('The database was not available');
  });
});

async function findFailures(): Promise<unknown[]> {
  const { rows } = await sandbox.database.query(
    `SELECT client_id, details ->> 'reason' AS reason, (details ->> 'count')::int AS count, actor FROM audit_events
     WHERE action = 'client.authentication-failed' ORDER BY reason`,
  );
  return rows;
}

describe('failed client authentication', () => {
  it('is an audit event with the client, if it is one, and what was wrong', async () => {
    // Those of one kind are counted together, and on a slow machine the three kinds may be written one after the other.
    await until(async () => (await findFailures()).length >= 3);
    const event = { count: 1, actor: 'token' };
    expect(await findFailures()).toEqual([
      { ...event, client_id: tpp.clientId, reason: 'assertion' },
      { ...event, client_id: tpp.clientId, reason: 'assertion, certificate of another software' },
      { ...event, client_id: null, reason: 'assertion, unknown client' },
    ]);
  });
});
