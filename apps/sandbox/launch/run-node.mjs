import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program on this terminal and waits for it. Forwards signals to it, and ends after it; a preparation that was
 * interrupted ends this process too.
 * @param {string[]} parameters of Node: its options, the program, and the program's parameters
 * @param {{ command?: string, isPreparation?: boolean }} [options] a program other than Node; preparation writes
 *   to standard error, because standard output belongs to the command itself
 * @returns {Promise<number>} the exit code; 128 and the signal's number when a signal ended it, as in a shell
 */
export async function runNode(parameters, { command = process.execPath, isPreparation = false } = {}) {
  // On Windows npm is a batch file, which only a shell can start.
  const needsShell = process.platform === 'win32' && command !== process.execPath;
  const child = spawn(command, parameters, {
    stdio: ['inherit', isPreparation ? 2 : 'inherit', 'inherit'],
    shell: needsShell,
  });
  let interruption;
  const forward = (signal) => {
    interruption = signal;
    child.kill(signal);
  };
  for (const signal of forwarded) process.on(signal, forward);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? exitCodeOf(signal)));
    });
  } finally {
    for (const signal of forwarded) process.off(signal, forward);
    if (isPreparation && interruption) process.exit(exitCodeOf(interruption));
  }
}

const exitCodeOf = (signal) => 128 + constants.signals[signal];
