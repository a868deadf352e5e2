/** A wire class. */
export type WireClass = new () => object;

/** What is known of a member beside its rules. */
export interface Member {
  /** of an object with a class of its own, or of the entries of an array of such */
  readonly type?: () => WireClass;
  /** entries, of an array */
  readonly atMost?: number;
}

const members = new WeakMap<object, Map<string, Member>>();

/** @returns the members that a wire class knows */
export function membersOf(type: WireClass): ReadonlyMap<string, Member> {
  const parent = Object.getPrototypeOf(type) as WireClass | null;
  const inherited = parent?.prototype === undefined ? [] : membersOf(parent);
  return new Map([...inherited, ...(members.get(type.prototype as object) ?? [])]);
}

/** Makes a member known. */
export function member(said: Member = {}): PropertyDecorator {
  return (prototype, name) => {
    const known = members.get(prototype) ?? new Map<string, Member>();
    members.set(prototype, known.set(String(name), { ...known.get(String(name)), ...said }));
  };
}
