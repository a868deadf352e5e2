import { LosslessNumber } from 'lossless-json';

/** @returns whether a value of {@link parseJson} is an object: no array, no null, no number that kept its text */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber);
}
