// Our worker, started as its own main.js starts it.
import { loadConfig } from '#libs/config';
import { createWorkerApp } from '../../../dist/apps/worker/src/create-worker-app.js';
import { workerSettings } from '../../../dist/apps/worker/src/worker.settings.js';

export async function start({ environment }) {
  await createWorkerApp(await loadConfig(environment, workerSettings, { constants: environment }));
  return {};
}
