import { setFlagsFromString } from 'node:v8';
import { CommandLineError, endWithReader } from '#libs/command-line';
import { runUntilStopped } from './run-until-stopped.js';
import { createStartProgram } from './start-program.js';

// For little memory rather than for speed: the young generation stays as small as it starts, and the old one grows by
// 30 per cent before it is collected.
for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=30']) setFlagsFromString(flag);

// libpq's settings (PGSSLMODE, PGOPTIONS ...) are for other databases of whoever starts us; our clients would read them
// too.
for (const name of Object.keys(process.env)) if (/^PG[A-Z]+$/.test(name)) delete process.env[name];

try {
  const help = await createStartProgram(() => runUntilStopped(process.env)).run(process.argv.slice(2));
  if (help !== undefined) {
    endWithReader();
    console.log(help);
  }
} catch (error) {
  if (!(error instanceof CommandLineError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
