import { endWithReader, runProgram } from '#libs/command-line';
import { createOpenapiProgram, type OpenapiCommand } from './openapi-program.js';
import { writeEnvironment } from './write-environment.js';

async function run({ check: isCheck = false, environment }: OpenapiCommand): Promise<void> {
  if (environment !== undefined) {
    process.stdout.write(`written: ${await writeEnvironment(environment)}\n`);
    return;
  }
  // The sources of the documents take seconds to load, and the help does not need them.
  await import('reflect-metadata');
  const [{ createFiles }, { writeFiles }] = await Promise.all([
    import('./create-files.js'),
    import('./write-files.js'),
  ]);
  const stale = await writeFiles(await createFiles(), { root: process.cwd(), isCheck });
  const outcome = `${isCheck ? 'out of date' : 'written'}: ${stale.join(', ')}`;
  process.stdout.write(stale.length === 0 ? 'up to date\n' : `${outcome}\n`);
  if (isCheck && stale.length > 0) process.exitCode = 1;
}

endWithReader();
await runProgram(createOpenapiProgram(run), (error) =>
  // The sandbox's description cannot be used.
  error instanceof TypeError ? error.message : undefined,
);
