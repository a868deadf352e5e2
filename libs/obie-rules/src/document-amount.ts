import { LosslessNumber } from 'lossless-json';
import { parseAmount } from './decimal.js';

/** int32 of v4.0 */
const integerForm = /^\d{1,10}$/;

export const documentAmountRule = 'must be a string with a decimal amount such as "120.50", or a whole number';

/**
 * @param value ReferredDocumentAmount: v4.0.1 has the text of an amount, v4.0 an integer
 * @returns its text; undefined for anything else
 */
export function toDocumentAmount(value: unknown): string | undefined {
  if (typeof value === 'string') return parseAmount(value) === undefined ? undefined : value;
  const isNumber = value instanceof LosslessNumber || typeof value === 'number';
  return isNumber && integerForm.test(String(value)) ? String(value) : undefined;
}
