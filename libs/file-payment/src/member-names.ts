/** The names that the members of an object may have. */
export class MemberNames {
  readonly #names: ReadonlySet<string>;
  /** names of the last object's members, in their order */
  readonly #last: string[] = [];

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  /**
   * Checks every member of an object. Nearly all objects of a file have the same order of members, and comparing a name
   * with that of the last object is much faster than looking it up.
   * @param reader receives every unknown name
   */
  verify(object: object, reader: { noteUnexpected(name: string): void }): void {
    const last = this.#last;
    let position = 0;
    for (const name in object) {
      if (name !== last[position]) {
        if (!this.#names.has(name)) {
          reader.noteUnexpected(name);
          continue;
        }
        last[position] = name;
      }
      position += 1;
    }
  }
}
