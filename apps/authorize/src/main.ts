import { loadConfig } from '#libs/config';
import { startProcess } from '#libs/http-server';
import { createAuthorizeApp } from './create-authorize-app.js';

await startProcess(async () => {
  const config = loadConfig(process.env);
  const app = await createAuthorizeApp(config);
  await app.listen(config.listen.authorizePort, config.listen.host);
  return app;
});
