import 'reflect-metadata';
import { createFiles } from './create-files.js';
import { writeEnvironment } from './write-environment.js';
import { writeFiles } from './write-files.js';

const usage =
  'Usage: npm run openapi                        writes the API documents and the collection\n' +
  '       npm run openapi -- --check             writes nothing, and fails when one of them is out of date\n' +
  "       npm run openapi -- --environment FILE  writes the collection's environment from a sandbox.json\n";

const [option, file] = process.argv.slice(2);
if (option === '--environment') {
  try {
    process.stdout.write(`written: ${await writeEnvironment(file ?? '.sandbox/sandbox.json')}\n`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
} else if (option === undefined || option === '--check') {
  const isCheck = option === '--check';
  const stale = await writeFiles(await createFiles(), { root: process.cwd(), isCheck });
  const outcome = `${isCheck ? 'out of date' : 'written'}: ${stale.join(', ')}`;
  process.stdout.write(stale.length === 0 ? 'up to date\n' : `${outcome}\n`);
  if (isCheck && stale.length > 0) process.exitCode = 1;
} else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
