import { fieldInvalid, fieldMissing } from '#libs/error-catalogue';
import type { RegistrationErrorCode, RegistrationFault } from './registration.errors.js';

/** Result of one rule: a value, or its faults. All rules run before any fault is answered. */
export type Checked<Value> = { value: Value } | { faults: readonly RegistrationFault[] };

export function accepted<Value>(value: Value): Checked<Value> {
  return { value };
}

/** A required claim is missing. */
export function missing(path: string, error: RegistrationErrorCode = 'invalid_client_metadata'): Checked<never> {
  return { faults: [{ error, ...fieldMissing(path) }] };
}

/**
 * A claim has the wrong type or value.
 * @param rule what is required; a predicate without the full stop
 */
export function refused(
  path: string,
  rule: string,
  error: RegistrationErrorCode = 'invalid_client_metadata',
): Checked<never> {
  return { faults: [{ error, ...fieldInvalid(path, rule) }] };
}

/** The faults of several rules, in their order. */
export function faultsOf(outcomes: readonly Checked<unknown>[]): RegistrationFault[] {
  return outcomes.flatMap((outcome) => ('faults' in outcome ? [...outcome.faults] : []));
}

/** The value of a rule whose faults have been checked. */
export function valueOf<Value>(outcome: Checked<Value>): Value {
  if ('faults' in outcome) throw new TypeError('The outcome has faults: check for them before you read its value.');
  return outcome.value;
}
