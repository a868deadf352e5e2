import { runUntilStopped } from './run-until-stopped.js';

await runUntilStopped(process.env);
