import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadSandboxConfig } from '../../support/load-sandbox-config.js';
import { stopTracing } from '#libs/tracing';
import { createApiApp } from '../../support/apps/service.js';
import { sandboxEnvironment } from '../../support/apps/sandbox.js';
import { ensureTrustFramework } from '../../support/apps/trust.js';
import { register } from '../../support/apps/tpp.js';
import { BankConnection } from '../../../libs/bank/src/bank-connection.js';
import { PaymentScheme } from '../../../libs/bank/src/payment-scheme.js';
import { aTppIdentity } from '../../support/a-tpp.js';
import { expectEventually } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

let collector: Server;
let sandbox: TestSandbox;
const received: SentSpan[] = [];
const variable = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const delay = 'OTEL_BSP_SCHEDULE_DELAY';
const before = { [variable]: process.env[variable], [delay]: process.env[delay] };

beforeAll(async () => {
  collector = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] };
      received.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  // The exporter reads its address from the environment, as the standard has it.
  process.env[delay] = '1000';
  process.env[variable] = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  sandbox = await startTestSandbox({ apps: { api: createApiApp }, environment: { [variable]: process.env[variable] } });
});

afterAll(async () => {
  await sandbox?.stop();
  collector?.close();
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const attributesOf = (span: SentSpan | undefined): Record<string, unknown> =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

describe('traces, where a collector is configured', () => {
  it('have a span for what is fetched from a directory, below the request that needs it', async () => {
    const identity = await aTppIdentity(sandbox);
    await register(identity);
    const find = (): SentSpan | undefined => received.find(({ name }) => name.endsWith('/register'));
    await expectEventually(() => Promise.resolve(find() !== undefined), true);
    const fetched = received.find(
      ({ name, parentSpanId }) => name === 'fetch document' && parentSpanId === find()?.spanId,
    );
    expect(attributesOf(fetched)).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': 'localhost',
      'server.port': sandbox.ports.directory,
    });
    identity.client.close();
    identity.agent.destroy();
  });

  it('have a span for a call to the bank, which is told of it, without whom or what it is about', async () => {
    const trust = await ensureTrustFramework({ directory: sandbox.directory, now: new Date() });
    const { certificate: cert, privateKey } = trust.server;
    const told: (string | undefined)[] = [];
    const bank = createHttpsServer(
      { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) },
      (request, response) => {
        told.push(request.headers['traceparent'] as string | undefined);
        response.writeHead(404).end();
      },
    ).listen(0, '127.0.0.1');
    await once(bank, 'listening');
    const { directory, ports, databaseUrl } = sandbox;
    const connection = new BankConnection(
      await loadSandboxConfig({
        ...sandboxEnvironment({ directory, ports, databaseUrl, trust, overrides: {} }),
        BANK_URL: `https://localhost:${(bank.address() as AddressInfo).port}`,
      }),
    );
    const paymentId = randomUUID();
    const payments = new PaymentScheme(connection);
    expect(await payments.findPayment({ paymentId, call: { interactionId: randomUUID() } })).toBeUndefined();
    connection.onApplicationShutdown();
    bank.close();

    const find = (): SentSpan | undefined => received.find(({ name }) => name === 'bank findPayment');
    await expectEventually(() => Promise.resolve(find() !== undefined), true);
    expect(attributesOf(find())).toMatchObject({ 'http.response.status_code': 404, 'server.address': 'localhost' });
    expect(told).toEqual([`00-${find()?.traceId}-${find()?.spanId}-01`]);
    expect(JSON.stringify(received)).not.toContain(paymentId);
  });

  it('have a span for a request, with its interaction id and its caller, and one for each of its statements', async () => {
    const interactionId = randomUUID();
    const [trace, caller] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const answer = await httpsRequest({
      url: `${sandbox.description.base_url}/health/ready?secret=hunter2`,
      headers: { 'x-fapi-interaction-id': interactionId, traceparent: `00-${trace}-${caller}-01` },
      agent: sandbox.agent,
    });
    expect(answer.status).toBe(200);
    const find = (): SentSpan | undefined => received.find(({ name }) => name === 'GET /health/ready');
    // The span ends with the response, which may be a moment after the client has it, and is sent by the second.
    await expectEventually(() => Promise.resolve(find() !== undefined), true);
    await stopTracing();
    const request = find();
    expect(attributesOf(request)).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/health/ready',
      'http.response.status_code': 200,
      'open_banking.interaction_id': interactionId,
    });
    expect(request).toMatchObject({ traceId: trace, parentSpanId: caller });
    const statement = received.find(({ name }) => name === 'find-migrations');
    expect(statement).toMatchObject({ traceId: trace, parentSpanId: request?.spanId });
    expect(JSON.stringify(received)).not.toMatch(/hunter2|SELECT/);
  });
});
