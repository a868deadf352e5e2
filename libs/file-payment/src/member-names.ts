/** The names that the members of an object may have. */
export class MemberNames {
  readonly #names: ReadonlySet<string>;
  /** of the members of the last object, in its order */
  readonly #last: string[] = [];

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  /**
   * Looks at every member of an object. Nearly all objects of a file have their members in one order, and it takes much
   * less time to compare a name with that of the last object than to look it up.
   * @param reader gets every other name
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
