import type { ValidationError } from 'class-validator';
import type { ObErrorCode } from '#libs/error-catalogue';
import { fieldMissing, obErrorItem } from './ob-error-items.js';
import type { ObErrorItem } from './ob-error.js';

/** What a class-validator rule adds so that its failure becomes the right OBError1. */
export interface ObFieldContext {
  readonly errorCode: ObErrorCode;
}

/** @returns the `context` of a class-validator decorator whose failure is not a plain UK.OBIE.Field.Invalid */
export function obField(errorCode: ObErrorCode): { context: ObFieldContext } {
  return { context: { errorCode } };
}

/**
 * Translates class-validator's findings.
 * @param errors what validate() returned
 * @param parentPath path of the validated object in the body, empty for the body itself
 * @returns one OBError1 for each faulty member, in the order of the members, `Path` as a dotted path
 */
export function toObErrorItems(errors: readonly ValidationError[], parentPath = ''): ObErrorItem[] {
  return errors.flatMap((error) => {
    const path = memberPath(parentPath, error.property);
    const own = toObErrorItem(error, path);
    return [...(own === undefined ? [] : [own]), ...toObErrorItems(error.children ?? [], path)];
  });
}

function toObErrorItem(error: ValidationError, path: string): ObErrorItem | undefined {
  const [rule, message] = Object.entries(error.constraints ?? {})[0] ?? [];
  if (rule === undefined || message === undefined) return undefined;
  if (error.value === undefined) return fieldMissing(path);
  const context = error.contexts?.[rule] as ObFieldContext | undefined;
  return obErrorItem(context?.errorCode ?? 'UK.OBIE.Field.Invalid', `${path} ${message}.`, path);
}

function memberPath(parentPath: string, property: string): string {
  if (parentPath === '') return property;
  return /^\d+$/.test(property) ? `${parentPath}[${property}]` : `${parentPath}.${property}`;
}
