import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '#libs/command-line';
import { sandboxDirectory } from './sandbox-directory.js';

describe("the sandbox's folder", () => {
  it.each([undefined, ''])('is .sandbox when SANDBOX_DIRECTORY is %j', (value) => {
    expect(sandboxDirectory({ SANDBOX_DIRECTORY: value })).toBe(join(repositoryRoot(), '.sandbox'));
  });

  it('is the one that is named', () => {
    expect(sandboxDirectory({ SANDBOX_DIRECTORY: 'other' })).toBe(join(repositoryRoot(), 'other'));
    expect(sandboxDirectory({ SANDBOX_DIRECTORY: '/srv/sandbox' })).toBe(resolve('/srv/sandbox'));
  });
});
