import { describe, expect, it } from '@jest/globals';
import { parseNobody } from './unprivileged-account.js';

describe('the account that PostgreSQL runs under if started by root', () => {
  it.each([
    [
      'Debian',
      'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533:nobody:/:/bin/false\n',
      { uid: 65_534, gid: 65_533 },
    ],
    [
      'macOS, where nobody is -2',
      'nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false',
      { uid: 4_294_967_294, gid: 4_294_967_294 },
    ],
    ['no passwd file at all', '', { uid: 65_534, gid: 65_534 }],
    ['a user whose name only ends like it', 'mynobody:x:1:1::/:/bin/sh', { uid: 65_534, gid: 65_534 }],
  ])('is nobody: %s', (_, passwd, expected) => {
    expect(parseNobody(passwd)).toEqual(expected);
  });
});
