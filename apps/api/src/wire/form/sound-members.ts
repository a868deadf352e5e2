import type { Fault } from '#libs/error-catalogue';

/** Which members of a body have the right form, so that rules on their values may look at them. */
export class SoundMembers {
  readonly #faulty: ReadonlySet<string>;

  /** @param faults of form, each with its path */
  constructor(faults: readonly Fault[]) {
    this.#faulty = new Set(faults.flatMap(({ path }) => (path === undefined ? [] : [path])));
  }

  /** @returns whether neither the member nor an object that it is in has a fault of form; it may be absent */
  has(path: string): boolean {
    const names = path.split('.');
    return names.every((_, index) => !this.#faulty.has(names.slice(0, index + 1).join('.')));
  }
}
