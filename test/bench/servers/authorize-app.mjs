// Our authorization endpoint and pages, started as their own main.js starts them.
import { loadConfig } from '#libs/config';
import { createAuthorizeApp } from '../../../dist/apps/authorize/src/create-authorize-app.js';
import { allSettings } from '../../../dist/apps/sandbox/src/all-settings.js';

export async function start({ environment }) {
  const app = await createAuthorizeApp(await loadConfig(environment, allSettings, { constants: environment }));
  await app.listen(0, '127.0.0.1');
  return { port: app.getHttpServer().address().port };
}
