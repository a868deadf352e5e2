import { expect, it } from '@jest/globals';
import { explainFileError, SandboxError } from './sandbox-error.js';

const failed = (code: string, path?: string): Error => Object.assign(new Error(code), { code, path });

it('says what to do about a file of another user and about a full disk, and leaves other errors as they are', () => {
  expect(explainFileError(failed('EACCES', '/x/port'))).toMatchObject({
    message: expect.stringMatching(/^\/x\/port cannot be used \(EACCES\): if an earlier run was as root /),
  });
  expect(explainFileError(failed('ENOSPC'))).toMatchObject({
    message: 'A file cannot be used (ENOSPC): the disk is full. Make room, then start again.',
  });
  for (const error of [failed('ECONNRESET'), new SandboxError('A line.')]) expect(explainFileError(error)).toBe(error);
});
