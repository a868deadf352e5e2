/** A wire class. */
export type WireClass = new () => object;

/** Classes of the objects that the standard closes. In strict versions, each of their unknown members is a fault. */
export const closedClasses = new Set<WireClass>();

/**
 * @param declared the members, each with its decorator
 * @param options.base class whose members it has, too
 * @param options.isClosed whether the standard allows no other members (`additionalProperties: false`)
 * @returns a class with these members; the API document has its name
 */
export function classWith<Body extends object = object>(
  className: string,
  declared: Readonly<Record<string, PropertyDecorator>>,
  { isClosed = false, base = class {} } = {},
): new () => Body {
  const type = { [className]: class extends base {} }[className] as new () => Body;
  for (const [name, declare] of Object.entries(declared)) declare(type.prototype as object, name);
  if (isClosed) closedClasses.add(type);
  return type;
}

/** What a wire class declares about a member, besides its rules. */
export interface Member {
  /** class of a nested object, or of the entries of an array */
  readonly type?: WireClass;
  /** maximum entries of an array */
  readonly atMost?: number;
}

const members = new WeakMap<object, Map<string, Member>>();

/** Including inherited members; collected at the first use, because a file has a thousand objects. */
const allMembers = new WeakMap<WireClass, ReadonlyMap<string, Member>>();

/** @returns the members that a wire class declares */
export function membersOf(type: WireClass): ReadonlyMap<string, Member> {
  const known = allMembers.get(type);
  if (known !== undefined) return known;
  const parent = Object.getPrototypeOf(type) as WireClass | null;
  const inherited = parent?.prototype === undefined ? [] : membersOf(parent);
  const all = new Map([...inherited, ...(members.get(type.prototype as object) ?? [])]);
  allMembers.set(type, all);
  return all;
}

/** Declares a member. */
export function member(said: Member = {}): PropertyDecorator {
  return (prototype, name) => {
    const known = members.get(prototype) ?? new Map<string, Member>();
    members.set(prototype, known.set(String(name), { ...known.get(String(name)), ...said }));
  };
}
