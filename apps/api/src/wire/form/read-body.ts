import { validateSync } from 'class-validator';
import { type Fault, fieldUnexpected } from '#libs/error-catalogue';
import { isJsonObject } from '#libs/obie-rules';
import { faultsOf, memberPath } from './member-faults.js';
import { closedClasses, type Member, membersOf, type WireClass } from './members.js';

/**
 * Reads a parsed body as one of the wire classes. Unknown members are never read. In strict versions, each is a fault
 * if the standard closes its object (3.1.2 closes none).
 * @returns the instance and all its faults
 */
export function readBody<Body extends object>(
  type: new () => Body,
  document: Record<string, unknown>,
  { isClosed }: { readonly isClosed: boolean },
): { body: Body; faults: Fault[] } {
  const unknown: Fault[] = [];
  const note = isClosed ? (path: string) => unknown.push(fieldUnexpected(path)) : () => undefined;
  const body = toInstance(type, document, { path: '', note }) as Body;
  return { body, faults: [...faultsOf(validateSync(body, { forbidUnknownValues: false })), ...unknown] };
}

/** @returns the members of an object that a class declares, valid or not */
export function knownMembers(type: WireClass, document: Record<string, unknown>): object {
  return toInstance(type, document, { path: '', note: () => undefined });
}

/** The path of an object in the body, and the list of its unknown members. */
interface Place {
  readonly path: string;
  readonly note: (path: string) => void;
}

function toInstance(type: WireClass, document: Record<string, unknown>, place: Place): object {
  const instance = new type() as Record<string, unknown>;
  const members = membersOf(type);
  for (const [name, member] of members) {
    if (!Object.hasOwn(document, name)) continue;
    const value = document[name];
    instance[name] = typeof value === 'object' ? toMember(member, value, placeIn(place, name)) : value;
  }
  if (closedClasses.has(type)) {
    for (const name of Object.keys(document)) if (!members.has(name)) place.note(memberPath(place.path, name));
  }
  return instance;
}

/** Reads at most one entry more than an array may have, enough to report the fault. */
function toMember({ type, atMost }: Member, value: unknown, place: Place): unknown {
  if (type === undefined) return value;
  if (!Array.isArray(value)) return isJsonObject(value) ? toInstance(type, value, place) : value;
  return value
    .slice(0, atMost === undefined ? undefined : atMost + 1)
    .map((entry, index) => toMember({ type }, entry, placeIn(place, String(index))));
}

function placeIn({ path, note }: Place, property: string): Place {
  return { path: memberPath(path, property), note };
}
