import { afterAll, beforeAll } from '@jest/globals';

/**
 * Starts something before the tests of a spec, and stops it after them.
 * @returns what has started
 */
export function useStarted<Started>(
  start: () => Promise<Started>,
  stop: (started: Started) => Promise<void>,
): () => Started {
  let started: Started | undefined;

  beforeAll(async () => {
    started = await start();
  });

  afterAll(async () => {
    if (started !== undefined) await stop(started);
  });

  return () => {
    if (started === undefined) throw new Error('The sandbox did not start.');
    return started;
  };
}
