import { createApiApp } from '../../api/src/create-api-app.js';
import { createAuthorizeApp } from '../../authorize/src/create-authorize-app.js';
import { createTokenApp } from '../../token/src/create-token-app.js';
import { createWorkerApp } from '../../worker/src/create-worker-app.js';
import type { SandboxApps } from './start-servers.js';

/** The processes of the service, which the sandbox runs in one. */
export const sandboxApps = {
  authorize: createAuthorizeApp,
  token: createTokenApp,
  api: createApiApp,
  worker: createWorkerApp,
} satisfies SandboxApps;
