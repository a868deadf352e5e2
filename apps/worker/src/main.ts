import { loadConfig } from '#libs/config';
import { startProcess } from '#libs/http-server';
import { createWorkerApp } from './create-worker-app.js';

await startProcess(() => createWorkerApp(loadConfig(process.env)));
