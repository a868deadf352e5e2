import { loadConfig } from '#libs/config';
import { startProcess } from '#libs/http-server';
import { observeProcess } from '#libs/telemetry';
import { createTokenApp } from './create-token-app.js';

await startProcess(() => {
  const config = loadConfig(process.env);
  const { host, tokenPort } = config.listen;
  return observeProcess(config, 'token', config.admin.tokenPort, async (telemetry) => {
    const app = await createTokenApp(config, undefined, telemetry);
    await app.listen(tokenPort, host);
    return app;
  });
});
