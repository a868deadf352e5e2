import type { Clock, Config } from '#libs/config';
import type { Telemetry } from '#libs/telemetry';
import { createApiApp } from '../../api/src/create-api-app.js';
import { createAuthorizeApp } from '../../authorize/src/create-authorize-app.js';
import { createTokenApp } from '../../token/src/create-token-app.js';
import { createWorkerApp } from '../../worker/src/create-worker-app.js';
import { describeAccounts } from './bank/accounts/describe-accounts.js';
import type { SandboxApps } from './start-servers.js';

/** The processes of the service, which the sandbox runs in one. */
export const sandboxApps = {
  authorize: createAuthorizeApp,
  token: createTokenApp,
  // The bank's own server answers at the same address.
  api: (config: Config, clock?: Clock, telemetry?: Telemetry) =>
    createApiApp(config, clock, telemetry, describeAccounts(config)),
  worker: createWorkerApp,
} satisfies SandboxApps;
