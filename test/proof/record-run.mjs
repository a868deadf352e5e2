import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Suites of which the proof has what they say that they did, or else what held. */
const accounts = /\/(chaos\/chaos|upgrade|database\/failover|process\/[\w-]*crash)/;

/** Writes what a ring of tests did to `$PROOF_FOLDER/<ring>.json`, for `npm run proof`; without that variable nothing. */
export default class RecordRun {
  #folder = process.env['PROOF_FOLDER'];
  #accounts = [];

  constructor({ rootDir }, { ring }) {
    this.rootDir = rootDir;
    this.ring = ring;
  }

  onTestResult(_test, { testFilePath, console: printed, testResults }) {
    if (!accounts.test(testFilePath)) return;
    const said = (printed ?? [])
      .filter(({ type, message }) => type === 'log' && !/^OBIE_\w+ is not set/.test(message))
      .map(({ message }) => message);
    if (said.length === 0)
      said.push(...testResults.filter(({ status }) => status === 'passed').map(({ title }) => `${title};`));
    if (said.length > 0) this.#accounts.push({ suite: relative(this.rootDir, testFilePath), said });
  }

  onRunComplete(_contexts, results) {
    if (!this.#folder) return;
    const { numTotalTestSuites, numPassedTestSuites, numPassedTests, numFailedTests, numPendingTests, startTime } =
      results;
    mkdirSync(this.#folder, { recursive: true });
    const run = {
      commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
      suites: numTotalTestSuites,
      passed_suites: numPassedTestSuites,
      passed: numPassedTests,
      failed: numFailedTests,
      skipped: numPendingTests,
      seconds: Math.round((Date.now() - startTime) / 1_000),
      node: process.version,
      accounts: this.#accounts,
    };
    writeFileSync(join(this.#folder, `${this.ring}.json`), `${JSON.stringify(run, null, 2)}\n`);
  }
}
