import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { type ObErrorItem, toObErrorItems } from '#libs/error-envelope';

/**
 * Reads a parsed body as one of the wire classes. Members that the class does not know are dropped (the schemas of
 * 3.1.2 are open).
 * @returns the instance and everything that is wrong with it
 */
export function readBody<Body extends object>(
  type: new () => Body,
  document: Record<string, unknown>,
): { body: Body; faults: ObErrorItem[] } {
  const body = plainToInstance(type, document);
  return { body, faults: toObErrorItems(validateSync(body, { whitelist: true, forbidUnknownValues: false })) };
}
