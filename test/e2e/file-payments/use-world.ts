import { afterAll, beforeAll } from '@jest/globals';
import { aTpp } from '../../support/a-tpp.js';
import { startTestSandbox } from '../../support/start-test-sandbox.js';
import { CheckedTpp } from './checked-tpp.js';
import type { GetWorld, World } from './world.js';

/** A sandbox for a spec of the file payments API. */
export function useWorld(): GetWorld {
  let world: World | undefined;

  beforeAll(async () => {
    const sandbox = await startTestSandbox();
    const [tpp, otherTpp] = await Promise.all([aTpp(sandbox), aTpp(sandbox, { index: 1 })]);
    world = { sandbox, tpp: new CheckedTpp(tpp), otherTpp: new CheckedTpp(otherTpp) };
  });

  afterAll(async () => {
    world?.tpp.close();
    world?.otherTpp.close();
    await world?.sandbox.stop();
  });

  return () => {
    if (!world) throw new Error('The sandbox did not start.');
    return world;
  };
}
