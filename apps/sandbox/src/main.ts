import { runUntilStopped } from './run-until-stopped.js';

// libpq's settings (PGSSLMODE, PGOPTIONS ...) are for other databases of whoever starts us; our clients would read them, too.
for (const name of Object.keys(process.env)) if (/^PG[A-Z]+$/.test(name)) delete process.env[name];

await runUntilStopped(process.env);
