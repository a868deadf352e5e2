import { validateSync } from 'class-validator';
import { type ObErrorItem, toObErrorItems } from '#libs/error-envelope';
import { isJsonObject } from '#libs/obie-rules';
import { membersOf, type WireClass } from './rules.js';

/**
 * Reads a parsed body as one of the wire classes. Members that the class does not know are never looked at (the schemas of
 * 3.1.2 are open): they may have any name and hold anything.
 * @returns the instance and everything that is wrong with it
 */
export function readBody<Body extends object>(
  type: new () => Body,
  document: Record<string, unknown>,
): { body: Body; faults: ObErrorItem[] } {
  const body = toInstance(type, document) as Body;
  return { body, faults: toObErrorItems(validateSync(body, { forbidUnknownValues: false })) };
}

function toInstance(type: WireClass, document: Record<string, unknown>): object {
  const instance = new type();
  for (const [name, memberType] of membersOf(type)) {
    if (!Object.hasOwn(document, name)) continue;
    const value = document[name];
    Reflect.set(instance, name, memberType && isJsonObject(value) ? toInstance(memberType(), value) : value);
  }
  return instance;
}
