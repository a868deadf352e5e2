import { expect, it } from '@jest/globals';
import { Readiness } from './readiness.js';
import { watchSigningKeys } from './watch-signing-keys.js';

it('readiness names the key that cannot sign, and the instance goes on serving', async () => {
  const readiness = new Readiness();
  let reason: string | undefined;
  const check = async (): Promise<void> => {
    if (reason !== undefined) throw new Error(reason);
  };
  watchSigningKeys(readiness, [{ kid: 'in-memory' }, { kid: 'remote', check }]);
  expect(await readiness.report()).toMatchObject({ isReady: true, checks: { 'signing key remote': 'ok' } });
  reason = 'The signing service does not answer.';
  expect(await readiness.report()).toEqual({
    isReady: false,
    isServing: true,
    checks: { 'signing key remote': reason },
  });
});
