import { useStarted } from '../../support/use-started.js';
import type { GetWorld } from './registration-world.js';
import { startRegistrationWorld } from './start-registration-world.js';

/** A sandbox for a spec of registration, with a key store and a clock that its tests move. */
export function useRegistrationWorld(options?: Parameters<typeof startRegistrationWorld>[0]): GetWorld {
  return useStarted(
    () => startRegistrationWorld(options),
    (world) => world.stop(),
  );
}
