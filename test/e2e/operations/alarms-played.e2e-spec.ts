import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const folder = join(import.meta.dirname, '../../../deploy/prometheus');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) process.stderr.write('The alarms are not run: promtool (Debian: prometheus) is not installed.\n');

(hasPromtool ? it.each : it.skip.each)([
  ['check', 'rules', 'rules.yaml'],
  ['check', 'config', 'scrape.yaml'],
  ['test', 'rules', 'rules.test.yaml'],
])('deploy/prometheus holds for promtool %s %s %s', (action, what, file) => {
  const { status, stdout, stderr } = spawnSync('promtool', [action, what, file], { cwd: folder, encoding: 'utf8' });
  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
});
