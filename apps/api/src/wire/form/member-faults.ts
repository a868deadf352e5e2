import type { ValidationError } from 'class-validator';
import { createFault, type Fault, type FaultCode, fieldMissing } from '#libs/error-catalogue';
import { membersOf, type WireClass } from './members.js';

/** Context of a class-validator rule that determines the fault. */
export interface ObFieldContext {
  readonly code: FaultCode;
  /** index of the first faulty entry of an array; undefined if the array itself is faulty */
  readonly findEntry?: (value: unknown) => number | undefined;
}

/** @returns the `context` of a class-validator decorator whose failure is not Field.Invalid */
export function obField(code: FaultCode, findEntry?: ObFieldContext['findEntry']): { context: ObFieldContext } {
  return { context: { code, ...(findEntry && { findEntry }) } };
}

/**
 * Translates class-validator's findings.
 * @param errors what validate() returned
 * @param parentPath path of the validated object in the body, empty for the body itself
 * @returns one fault for each faulty member, in the order of the members, `path` as a dotted path
 */
export function faultsOf(errors: readonly ValidationError[], parentPath = ''): Fault[] {
  return inOrder(errors).flatMap((error) => {
    const path = memberPath(parentPath, error.property);
    const own = faultOf(error, path);
    return [...(own === undefined ? [] : [own]), ...faultsOf(error.children ?? [], path)];
  });
}

/** class-validator reports inherited members last; the class may have them first. */
function inOrder(errors: readonly ValidationError[]): readonly ValidationError[] {
  const type = errors[0]?.target?.constructor as WireClass | undefined;
  if (type === undefined) return errors;
  const places = new Map([...membersOf(type).keys()].map((name, index) => [name, index]));
  const placeOf = ({ property }: ValidationError): number => places.get(property) ?? 0;
  return errors.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function faultOf(error: ValidationError, path: string): Fault | undefined {
  const [rule, message] = Object.entries(error.constraints ?? {})[0] ?? [];
  if (rule === undefined || message === undefined) return undefined;
  if (error.value === undefined) return fieldMissing(path);
  const context = error.contexts?.[rule] as ObFieldContext | undefined;
  const entry = context?.findEntry?.(error.value);
  const place = entry === undefined ? path : memberPath(path, String(entry));
  return createFault(context?.code ?? 'Field.Invalid', `${place} ${message}.`, place);
}

/** @returns the path of a member of an object, or of an entry of an array */
export function memberPath(parentPath: string, property: string): string {
  if (parentPath === '') return property;
  return /^\d+$/.test(property) ? `${parentPath}[${property}]` : `${parentPath}.${property}`;
}
