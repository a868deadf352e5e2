import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiApp } from '../../../apps/api/src/create-api-app.js';
import { stopTracing } from '#libs/tracing';
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
}, 60_000);

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
