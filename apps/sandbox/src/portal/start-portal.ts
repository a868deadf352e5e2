import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance } from 'fastify';
import type { Credential } from '../trust/trust-framework.js';
import { html } from '#libs/http-server';
import { listenOnBoth } from './listen.js';
import { oldFormContent } from './pages/callback-page.js';
import { Portal, type PortalParts } from './portal.js';
import { guardPortal } from './portal-guard.js';
import { serveRuns } from './serve-runs.js';
import { serveWorld } from './serve-world.js';

const bodyLimitBytes = 32_768;

/**
 * Serves the sandbox portal on the loopback address.
 * @param options.credential of the sandbox's servers
 * @returns what stops it
 */
export async function startPortal(
  options: PortalParts & { host: string; credential: Credential },
): Promise<() => Promise<void>> {
  const { host, port, credential, log } = options;
  const portal = await Portal.create(options);
  let handler: RequestListener | undefined;
  const server: FastifyInstance = fastify({
    loggerInstance: log.child({ server: 'portal' }, { level: 'warn' }) as FastifyBaseLogger,
    bodyLimit: bodyLimitBytes,
    // Never listens: the portal's port speaks HTTP and HTTPS, see listen.ts.
    serverFactory: (listener) => {
      handler = listener;
      return createServer();
    },
  });
  const { bankOrigin, token } = portal;
  guardPortal(server, {
    port,
    bankOrigin,
    formToken: token,
    answerOldForm: (form, reply) =>
      portal.send(reply, { title: 'The sandbox has restarted', path: '', content: oldFormContent(form, token) }),
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)));
  });
  answerErrors(server, portal);
  for (const [name, type] of [
    ['portal.css', 'text/css; charset=utf-8'],
    ['portal.js', 'text/javascript; charset=utf-8'],
  ] as const) {
    const content = await readFile(join(import.meta.dirname, 'assets', name));
    server.get(`/${name}`, async (_request, reply) => reply.type(type).send(content));
  }
  serveRuns(server, portal);
  serveWorld(server, portal);
  await server.ready();
  const close = await listenOnBoth({ port, host, credential, handler: (...call) => handler?.(...call) });
  return async () => {
    await portal.stop();
    await close();
    await server.close();
  };
}

function answerErrors(server: FastifyInstance, portal: Portal): void {
  server.setNotFoundHandler(async (_request, reply) => {
    const content = html`<p>The portal has no such page.</p>
      <p><a href="/">Pay suppliers</a></p>`;
    return portal.send(reply.code(404), { title: 'Not found', path: '', content });
  });
  server.setErrorHandler(async (error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'The request failed.');
    const text = status >= 500 ? 'The portal failed; the sandbox’s log says why.' : error.message;
    return portal.send(reply.code(status), {
      title: 'That did not work',
      path: '',
      content: html`<p id="error">${text}</p>
        <p><a href="/">Pay suppliers</a></p>`,
    });
  });
}
