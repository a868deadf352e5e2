import { loadConfig } from '#libs/config';
import { startProcess } from '#libs/http-server';
import { observeProcess } from '#libs/telemetry';
import { createTokenApp } from './create-token-app.js';
import { tokenProcessSettings } from './token.settings.js';

await startProcess(async () => {
  const config = await loadConfig(process.env, tokenProcessSettings);
  const { host, port } = config.listen;
  return observeProcess(config, 'token', config.admin.port, async (telemetry) => {
    const app = await createTokenApp(config, undefined, telemetry);
    await app.listen(port, host);
    return app;
  });
});
