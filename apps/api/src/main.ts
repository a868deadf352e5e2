import { loadConfig } from '#libs/config';
import { startProcess } from '#libs/http-server';
import { observeProcess } from '#libs/telemetry';
import { createApiApp } from './create-api-app.js';
import { apiSettings } from './api.settings.js';

await startProcess(async () => {
  const config = await loadConfig(process.env, apiSettings);
  const { host, port } = config.listen;
  return observeProcess(config, 'api', config.admin.port, async (telemetry) => {
    const app = await createApiApp(config, undefined, telemetry);
    await app.listen(port, host);
    return app;
  });
});
