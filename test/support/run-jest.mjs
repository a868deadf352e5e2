import { spawn } from 'node:child_process';

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/**
 * Runs specs in their own process. Its exit code becomes this process's.
 * @param {readonly string[]} specs
 * @param {Readonly<Record<string, string>>} environment in addition to this process's
 */
export function runJest(specs, environment) {
  const child = spawn(process.execPath, [...jest, '--config', 'test/jest.config.mjs', ...specs], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => (process.exitCode = code ?? 1));
}
