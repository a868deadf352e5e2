import { describe, expect, it } from '@jest/globals';
import { Readiness } from './readiness.js';
import { watchSigningKeys } from './watch-signing-keys.js';

/** A key at a signing service that signs while nothing is wrong. */
class RemoteKey {
  checks = 0;
  reason: string | undefined;
  constructor(
    readonly kid: string,
    readonly algorithm: 'PS256' | 'ES256' = 'PS256',
  ) {}
  readonly check = async (): Promise<void> => {
    this.checks += 1;
    if (this.reason !== undefined) throw new Error(this.reason);
  };
}

const reason = 'The signing service does not answer.';

describe('readiness and the keys of a signing service', () => {
  it('names the key that cannot sign, and the instance keeps serving; a result is cached for ten seconds', async () => {
    const readiness = new Readiness();
    const key = new RemoteKey('remote');
    let now = 0;
    watchSigningKeys(readiness, [{ kid: 'in-memory', algorithm: 'ES256' }, key], () => now);
    const good = { isReady: true, checks: { 'signing key remote': 'ok' } };
    const bad = { isReady: false, isServing: true, checks: { 'signing key remote': reason } };

    expect(await readiness.report()).toMatchObject(good);
    key.reason = reason;
    now = 9_999;
    expect(await readiness.report()).toMatchObject(good);
    now = 10_000;
    expect(await readiness.report()).toEqual(bad);
    key.reason = undefined;
    now = 19_999;
    for (let asked = 0; asked < 100; asked += 1) expect(await readiness.report()).toEqual(bad);
    expect(key.checks).toBe(2);
    now = 20_000;
    expect(await readiness.report()).toMatchObject(good);
  });

  it('asks those that sign now: an instance serves whatever becomes of the next key and of a retired one', async () => {
    const readiness = new Readiness();
    const keys = ['current', 'next', 'retired'].flatMap((state) =>
      (['PS256', 'ES256'] as const).map((algorithm) => new RemoteKey(`${state} ${algorithm}`, algorithm)),
    );
    for (const key of keys.slice(2)) key.reason = reason;
    watchSigningKeys(readiness, keys);
    expect(await readiness.report()).toEqual({
      isReady: true,
      isServing: true,
      checks: { 'signing key current PS256': 'ok', 'signing key current ES256': 'ok' },
    });
  });
});
