// Our API, started as its own main.js starts it.
import { loadConfig } from '#libs/config';
import { createApiApp } from '../../../dist/apps/api/src/create-api-app.js';

export async function start({ environment }) {
  const app = await createApiApp(await loadConfig(environment));
  await app.listen(0, '127.0.0.1');
  return { port: app.getHttpServer().address().port };
}
