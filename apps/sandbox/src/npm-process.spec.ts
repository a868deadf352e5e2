import { describe, expect, it } from '@jest/globals';
import { isShellOfNpm } from './npm-process.js';

describe('the process between npm and the sandbox', () => {
  it.each([
    ['sh -c node apps/sandbox/launch.mjs start ', true],
    ['/bin/bash -c node apps/sandbox/launch.mjs start', true],
    ['npm start', false],
    ['-bash', false],
    ['bash -c npm start', false],
  ])('%s: %s', (command, expected) => {
    expect(isShellOfNpm(command)).toBe(expected);
  });
});
