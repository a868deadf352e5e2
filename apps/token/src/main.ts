import { loadConfig } from '#libs/config';
import { startProcess } from '#libs/http-server';
import { createTokenApp } from './create-token-app.js';

await startProcess(async () => {
  const config = loadConfig(process.env);
  const app = await createTokenApp(config);
  await app.listen(config.listen.tokenPort, config.listen.host);
  return app;
});
