import { loadConfig } from '#libs/config';
import { startProcess } from '#libs/http-server';
import { observeProcess } from '#libs/telemetry';
import { createAuthorizeApp } from './create-authorize-app.js';
import { authorizeSettings } from './authorize.settings.js';

await startProcess(async () => {
  const config = await loadConfig(process.env, authorizeSettings);
  const { host, port } = config.listen;
  return observeProcess(config, 'authorize', config.admin.port, async (telemetry) => {
    const app = await createAuthorizeApp(config, undefined, telemetry);
    await app.listen(port, host);
    return app;
  });
});
