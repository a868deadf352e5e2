import { availableParallelism, loadavg } from 'node:os';
import { relative } from 'node:path';
import { longTests } from './long-suites.mjs';

const given = process.env['SLOW_TEST_MS'];
const limit = Number(given || 2000);
const isNamed = ({ fullName }) => Object.keys(longTests).some((words) => fullName.includes(words));

/**
 * Fails a run of the short ring with the names of the tests that are too slow for it, if SLOW_TEST_MS is set. Otherwise, and
 * on a machine that is busy with more than this run, they are only named: a newcomer's machine may be slower than ours.
 */
export default class SlowTests {
  #found = [];
  #fails = false;

  constructor({ rootDir, maxWorkers }) {
    this.rootDir = rootDir;
    // Each worker waits for servers of its own, which are busy while it is not.
    this.ownLoad = availableParallelism() + maxWorkers;
    // On a quiet machine: here a test shares the cores with the other workers and their servers.
    this.most = (limit * this.ownLoad) / availableParallelism();
  }

  onTestResult(_test, { testFilePath, testResults }) {
    const slow = testResults.filter((test) => test.duration > this.most && !isNamed(test));
    if (slow.length > 0 && given && loadavg()[0] <= this.ownLoad) this.#fails = true;
    for (const { fullName, duration } of slow) {
      this.#found.push(`  ${(duration / 1000).toFixed(1)} s  ${relative(this.rootDir, testFilePath)}: ${fullName}`);
    }
  }

  onRunComplete() {
    if (this.#found.length === 0) return;
    const advice = this.#fails
      ? 'make them faster, or name them or their suite in test/support/long-suites.mjs'
      : 'no fault: SLOW_TEST_MS is not set, or the machine is busy';
    console.error(
      [
        `Tests of more than ${limit / 1000} s on a quiet machine, ${this.most / 1000} s here (${advice}):`,
        ...this.#found,
        '',
      ].join('\n'),
    );
  }

  getLastError() {
    return this.#fails ? new Error('Some tests are too slow for this ring.') : undefined;
  }
}
