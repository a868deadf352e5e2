import type { ValidationError } from 'class-validator';
import { createFault, type Fault, type FaultCode, fieldMissing } from '#libs/error-catalogue';

/** What a class-validator rule adds so that its failure becomes the right fault. */
export interface ObFieldContext {
  readonly code: FaultCode;
}

/** @returns the `context` of a class-validator decorator whose failure is not a plain Field.Invalid */
export function obField(code: FaultCode): { context: ObFieldContext } {
  return { context: { code } };
}

/**
 * Translates class-validator's findings.
 * @param errors what validate() returned
 * @param parentPath path of the validated object in the body, empty for the body itself
 * @returns one fault for each faulty member, in the order of the members, `path` as a dotted path
 */
export function faultsOf(errors: readonly ValidationError[], parentPath = ''): Fault[] {
  return errors.flatMap((error) => {
    const path = memberPath(parentPath, error.property);
    const own = faultOf(error, path);
    return [...(own === undefined ? [] : [own]), ...faultsOf(error.children ?? [], path)];
  });
}

function faultOf(error: ValidationError, path: string): Fault | undefined {
  const [rule, message] = Object.entries(error.constraints ?? {})[0] ?? [];
  if (rule === undefined || message === undefined) return undefined;
  if (error.value === undefined) return fieldMissing(path);
  const context = error.contexts?.[rule] as ObFieldContext | undefined;
  return createFault(context?.code ?? 'Field.Invalid', `${path} ${message}.`, path);
}

/** @returns the path of a member of an object, or of an entry of an array */
export function memberPath(parentPath: string, property: string): string {
  if (parentPath === '') return property;
  return /^\d+$/.test(property) ? `${parentPath}[${property}]` : `${parentPath}.${property}`;
}
