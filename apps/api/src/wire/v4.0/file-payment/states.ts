import { paymentStates40 } from '#libs/obie-rules';
import type { ResourceStatus } from '../../wire.js';

/** @returns the name of a state on the wire */
export function stateName(status: ResourceStatus): string {
  return paymentStates40[status];
}
