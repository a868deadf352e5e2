import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Config } from '#libs/config';
import type { Telemetry } from './telemetry.js';

/** A listener only for operators, separate from those of the service. */
export interface AdminServer {
  /** where it listens */
  readonly port: number;
  close(): Promise<void>;
}

type Answer = { status: number; type: string; body: string; headers?: Record<string, string> };

/**
 * Serves `/metrics`, `/health/live`, `/health/serving` and `/health/ready` of this process: on loopback unless
 * ADMIN_HOST says otherwise, plain unless ADMIN_TRUST_ANCHORS asks for mutual TLS.
 * @param port 0 stands for any free one
 * @throws Error if the port is taken
 */
export async function startAdminServer(config: Config, port: number, telemetry: Telemetry): Promise<AdminServer> {
  const server = createServer(config, (request, response) => {
    // oxlint-disable-next-line typescript/no-floating-promises -- answers of its own never reject
    void answer(request, telemetry).then((result) => send(request, response, result));
  });
  // For a few probes and scrapers; slow or numerous callers are refused.
  server.requestTimeout = 10_000;
  server.headersTimeout = 5_000;
  server.maxConnections = 64;
  server.listen(port, config.admin.host);
  await once(server, 'listening');
  // It must not keep an otherwise idle process running.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createServer(
  { admin, tls }: Config,
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  if (admin.trustAnchors === undefined) return createHttpServer({ maxHeaderSize: 8_192 }, handler);
  // @cryptography TLS 1.2 or 1.3 | TLS_PRIVATE_KEY | the administration ports, with ADMIN_TRUST_ANCHORS
  return createHttpsServer(
    {
      cert: tls.certificate,
      key: tls.privateKey,
      minVersion: 'TLSv1.2',
      maxHeaderSize: 8_192,
      requestCert: true,
      rejectUnauthorized: true,
      ca: [...admin.trustAnchors],
    },
    handler,
  );
}

async function answer(request: IncomingMessage, { registry, readiness }: Telemetry): Promise<Answer> {
  const [path] = (request.url ?? '').split('?', 1);
  const answers: Record<string, () => Promise<Answer>> = {
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
    '/health/live': async () => json(200, { status: 'ok' }),
    '/health/serving': async () => {
      const { isServing, checks } = await readiness.report();
      return json(isServing ? 200 : 503, { status: isServing ? 'ok' : 'failing', checks });
    },
    '/health/ready': async () => {
      const { isReady, checks } = await readiness.report();
      return json(isReady ? 200 : 503, { status: isReady ? 'ok' : 'failing', checks });
    },
  };
  const find = Object.hasOwn(answers, path ?? '') ? answers[path ?? ''] : undefined;
  if (find === undefined) return json(404, { status: 'unknown', paths: Object.keys(answers) });
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { ...json(405, { status: 'not allowed' }), headers: { allow: 'GET, HEAD' } };
  }
  try {
    return await find();
  } catch (error) {
    return json(500, { status: 'failing', reason: error instanceof Error ? error.message : String(error) });
  }
}

function json(status: number, body: unknown): Answer {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(body)}\n` };
}

function send(request: IncomingMessage, response: ServerResponse, { status, type, body, headers }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
  // Bodies are not read; no route here needs one.
  request.resume();
}
