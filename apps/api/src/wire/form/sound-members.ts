import type { Fault } from '#libs/error-catalogue';

/**
 * The members of a body that have a valid form. Rules check their values even if other members are faulty, so that one
 * answer lists all faults.
 */
export class SoundMembers {
  readonly #faulty: ReadonlySet<string>;

  /** @param faults of form, each with its path */
  constructor(faults: readonly Fault[]) {
    this.#faulty = new Set(faults.flatMap(({ path }) => (path === undefined ? [] : [path])));
  }

  /** @returns whether the member and the objects around it have a valid form; it may be absent */
  has(path: string): boolean {
    const names = path.split('.');
    return names.every((_, index) => !this.#faulty.has(names.slice(0, index + 1).join('.')));
  }
}
