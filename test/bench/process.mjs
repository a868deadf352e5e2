import { fork } from 'node:child_process';
import { join } from 'node:path';

/** A child process that answers each message with a message. */
export class Worker {
  #child;

  /**
   * @param script file of this folder
   * @param parameters its command line
   * @param options.profile name of a V8 CPU profile to write at exit
   * @param options.nodeOptions options of node
   */
  static async start(script, parameters = [], { profile, nodeOptions = [] } = {}) {
    const worker = new Worker();
    const profiling = profile
      ? [
          '--cpu-prof',
          `--cpu-prof-dir=${join(import.meta.dirname, '..', '..', 'dist', 'bench-profiles')}`,
          `--cpu-prof-name=${profile}.cpuprofile`,
        ]
      : [];
    worker.#child = fork(join(import.meta.dirname, script), parameters, {
      serialization: 'advanced',
      execArgv: [...nodeOptions, ...profiling],
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await worker.#answer('loaded');
    return worker;
  }

  /** Sends the message and waits for the answer of the given type. */
  async ask(message, answerType) {
    this.#child.send(message);
    return this.#answer(answerType);
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    await new Promise((resolve) => {
      this.#child.once('exit', resolve);
      this.#child.send({ type: 'stop' });
    });
  }

  #answer(type) {
    return new Promise((resolve, reject) => {
      const child = this.#child;
      const onMessage = (message) => {
        if (message.type === 'failed') settle(reject, new Error(message.message));
        else if (message.type === type) settle(resolve, message);
      };
      const onExit = (code) =>
        settle(reject, new Error(`A process of the benchmark ended (${code}) before it was done.`));
      const settle = (outcome, value) => {
        child.off('message', onMessage);
        child.off('exit', onExit);
        outcome(value);
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
    });
  }
}
