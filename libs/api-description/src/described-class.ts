import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** By name; they are required unless `required` is false. */
export type Members = Readonly<Record<string, ApiPropertyOptions>>;

/**
 * @param base class whose members it has, too
 * @returns an object that only the API document knows as a class
 */
export function describedClass(className: string, members: Members, base: Type<object> = class {}): Type<object> {
  const type = { [className]: class extends base {} }[className] as Type<object>;
  const prototype = type.prototype as object;
  for (const [name, options] of Object.entries(members)) {
    // What TypeScript emits for a union; its types are in `oneOf`.
    Reflect.defineMetadata('design:type', Object, prototype, name);
    ApiProperty(options)(prototype, name);
  }
  return type;
}

/** A text of at least one character. */
export const textUpTo = <Said extends object>(longest: number, said?: Said) =>
  ({ type: 'string', minLength: 1, maxLength: longest, ...said }) as const;
