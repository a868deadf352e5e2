// npm run corpus -- [--record]
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const usage = 'Usage: npm run corpus -- [--record]';

function readOptions() {
  try {
    const { values } = parseArgs({ options: { record: { type: 'boolean' } } });
    return values.record ? { CORPUS_RECORD: '1' } : {};
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
const child = spawn(process.execPath, [...jest, '--config', 'test/jest.config.mjs', 'test/corpus/corpus.e2e-spec.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ...readOptions() },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => (process.exitCode = code ?? 1));
