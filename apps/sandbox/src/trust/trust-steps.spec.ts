import { describe, expect, it } from '@jest/globals';
import { trustSteps } from './trust-steps.js';

describe('trustSteps', () => {
  it.each([
    ['linux', /^mkdir -p ~\/\.pki\/nssdb && certutil .* -A .* -i \/home\/me\/ca\.pem$/, /^certutil .* -D /],
    ['darwin', /^security add-trusted-cert .* \/home\/me\/ca\.pem$/, /^security delete-certificate /],
    ['win32', /^certutil -user -addstore Root "\/home\/me\/ca\.pem"$/, /^certutil -user -delstore Root /],
  ] as const)('on %s has a command for the system and steps for Firefox, and undoes each', (platform, add, remove) => {
    const { trust, undo } = trustSteps(platform, '/home/me/ca.pem');
    expect(trust[0]?.command).toMatch(add);
    expect(undo[0]?.command).toMatch(remove);
    expect([trust[1]?.title, undo[1]?.title]).toEqual([
      expect.stringContaining('Firefox'),
      expect.stringContaining('Firefox'),
    ]);
  });

  it('quotes a folder with spaces and quotation marks for the shell', () => {
    expect(trustSteps('darwin', "/Users/o'hara/my sandbox/ca.pem").trust[0]?.command).toContain(
      `'/Users/o'\\''hara/my sandbox/ca.pem'`,
    );
  });
});
