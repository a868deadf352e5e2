import { CommandLineError, endWithReader } from '#libs/command-line';
import { runUntilStopped } from './run-until-stopped.js';
import { createStartProgram } from './start-program.js';

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
