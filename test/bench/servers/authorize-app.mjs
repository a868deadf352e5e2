// Our authorization endpoint and pages, started as their own main.js starts them.
import { loadConfig } from '#libs/config';
import { createAuthorizeApp } from '../../../dist/apps/authorize/src/create-authorize-app.js';
import { authorizeSettings } from '../../../dist/apps/authorize/src/authorize.settings.js';

export async function start({ environment }) {
  const app = await createAuthorizeApp(await loadConfig(environment, authorizeSettings, { constants: environment }));
  await app.listen(0, '127.0.0.1');
  return { port: app.getHttpServer().address().port };
}
