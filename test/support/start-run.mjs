import 'reflect-metadata';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

register('./typescript-hooks.mjs', import.meta.url);

/**
 * Before the first suite: a folder and a PostgreSQL for what the suites of this run share. Jest's workers have the
 * environment of this process.
 */
export default async function startRun() {
  process.env['TEST_RUN_FOLDER'] = await mkdtemp(join(tmpdir(), 'test-run-'));
  // Started when the first suite asks for it: a run of pure specs needs none.
  let postgres;
  const server = createServer((_request, response) => {
    response.setHeader('connection', 'close');
    postgres ??= import('./start-run-postgres.ts').then(({ startRunPostgres }) => startRunPostgres());
    postgres.then(
      (started) => response.end(started.url('postgres')),
      (error) => response.writeHead(500).end(error.stack),
    );
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  process.env['TEST_RUN_POSTGRES'] = `http://127.0.0.1:${server.address().port}`;
  globalThis.stopRunPostgres = async () => {
    server.close();
    await (await postgres?.catch(() => undefined))?.remove();
  };
}
