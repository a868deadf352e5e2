import { loadConfig } from '#libs/config';
import { startProcess } from '#libs/http-server';
import { createApiApp } from './create-api-app.js';

await startProcess(async () => {
  const config = loadConfig(process.env);
  const app = await createApiApp(config);
  await app.listen(config.listen.apiPort, config.listen.host);
  return app;
});
