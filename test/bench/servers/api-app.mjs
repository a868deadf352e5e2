// Our API, started as its own main.js starts it.
import { loadConfig } from '#libs/config';
import { apiSettings } from '../../../dist/apps/api/src/api.settings.js';
import { createApiApp } from '../../../dist/apps/api/src/create-api-app.js';

export async function start({ environment }) {
  const app = await createApiApp(await loadConfig(environment, apiSettings, { constants: environment }));
  await app.listen(0, '127.0.0.1');
  return { port: app.getHttpServer().address().port };
}
