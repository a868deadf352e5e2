import { aTpp } from '../../support/a-tpp.js';
import { startTestSandbox } from '../../support/start-test-sandbox.js';
import { useStarted } from '../../support/use-started.js';
import { CheckedTpp } from './checked-tpp.js';
import type { GetWorld } from './world.js';

/** A sandbox for a spec of the file payments API. */
export function useWorld(): GetWorld {
  return useStarted(
    async () => {
      const sandbox = await startTestSandbox();
      const [tpp, otherTpp] = await Promise.all([aTpp(sandbox), aTpp(sandbox, { index: 1 })]);
      return { sandbox, tpp: new CheckedTpp(tpp), otherTpp: new CheckedTpp(otherTpp) };
    },
    async ({ sandbox, tpp, otherTpp }) => {
      tpp.close();
      otherTpp.close();
      await sandbox.stop();
    },
  );
}
