// npm run chaos -- [--minutes N] [--seed S] [--faults a,b,c]
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const usage = 'Usage: npm run chaos -- [--minutes N] [--seed S] [--faults NAME,NAME]';

function readOptions() {
  try {
    const option = { type: 'string' };
    const { values } = parseArgs({ options: { minutes: option, seed: option, faults: option } });
    const { minutes = '1', seed, faults } = values;
    if (!/^\d{1,4}(\.\d+)?$/.test(minutes) || (seed !== undefined && !/^\d{1,9}$/.test(seed))) throw new Error(usage);
    return {
      CHAOS_SECONDS: String(Math.round(Number(minutes) * 60)),
      ...(seed !== undefined && { CHAOS_SEED: seed }),
      ...(faults !== undefined && { CHAOS_FAULTS: faults }),
    };
  } catch (error) {
    console.error(error instanceof Error && error.message !== usage ? `${error.message}\n${usage}` : usage);
    process.exit(2);
  }
}

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
const child = spawn(
  process.execPath,
  [...jest, '--config', 'test/jest.config.mjs', 'test/e2e/chaos/chaos.e2e-spec.ts'],
  { stdio: 'inherit', env: { ...process.env, ...readOptions() } },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => (process.exitCode = code ?? 1));
