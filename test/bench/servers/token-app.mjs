// Our token endpoint, started as its own main.js starts it.
import { loadConfig } from '#libs/config';
import { tokenProcessSettings } from '../../../dist/apps/token/src/token.settings.js';
import { createTokenApp } from '../../../dist/apps/token/src/create-token-app.js';

export async function start({ environment }) {
  const app = await createTokenApp(await loadConfig(environment, tokenProcessSettings, { constants: environment }));
  await app.listen(0, '127.0.0.1');
  return { port: app.getHttpServer().address().port };
}
