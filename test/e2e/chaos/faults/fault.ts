import type { StubbornTpp } from '../customers/stubborn-tpp.js';
import type { Random } from '../random.js';
import type { ChaosWorld } from '../world/chaos-world.js';

/** The world in which faults happen. */
export interface Scene {
  readonly world: ChaosWorld;
  readonly tpps: readonly StubbornTpp[];
}

/** Something that goes wrong now and then. */
export interface Fault {
  readonly name: string;
  /** @returns why it cannot happen here; undefined if it can */
  readonly missing?: (world: ChaosWorld) => string | undefined;
  /** Happens once; resolves when it is over. */
  readonly strike: (scene: Scene, dice: Random) => Promise<void>;
}
