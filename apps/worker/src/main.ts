import { loadConfig } from '#libs/config';
import { startProcess } from '#libs/http-server';
import { observeProcess } from '#libs/telemetry';
import { createWorkerApp } from './create-worker-app.js';

await startProcess(() => {
  const config = loadConfig(process.env);
  return observeProcess(config, 'worker', config.admin.workerPort, (telemetry) =>
    createWorkerApp(config, undefined, telemetry),
  );
});
