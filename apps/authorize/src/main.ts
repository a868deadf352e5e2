import { loadConfig } from '#libs/config';
import { createAuthorizeApp } from './create-authorize-app.js';

const config = loadConfig(process.env);
const app = await createAuthorizeApp(config);
app.enableShutdownHooks();
await app.listen(config.listen.authorizePort, config.listen.host);
