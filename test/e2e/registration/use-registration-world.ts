import { afterAll, beforeAll } from '@jest/globals';
import type { GetWorld, RegistrationWorld } from './registration-world.js';
import { startRegistrationWorld } from './start-registration-world.js';

/**
 * One sandbox for all statements of a file: starting one costs more than a hundred requests.
 * @returns the world of the statements, once it has started
 */
export function useRegistrationWorld(options?: Parameters<typeof startRegistrationWorld>[0]): GetWorld {
  let world: RegistrationWorld | undefined;

  beforeAll(async () => {
    world = await startRegistrationWorld(options);
  });

  afterAll(async () => {
    await world?.stop();
  });

  return () => {
    if (!world) throw new Error('The sandbox did not start.');
    return world;
  };
}
