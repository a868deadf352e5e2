import { loadConfig } from '#libs/config';
import { startProcess } from '#libs/http-server';
import { observeProcess } from '#libs/telemetry';
import { createWorkerApp } from './create-worker-app.js';
import { workerSettings } from './worker.settings.js';

await startProcess(async () => {
  const config = await loadConfig(process.env, workerSettings);
  return observeProcess(config, 'worker', config.admin.port, (telemetry) =>
    createWorkerApp(config, undefined, telemetry),
  );
});
