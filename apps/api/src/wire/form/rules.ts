import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, ValidateBy, ValidateIf, ValidateNested, type ValidationArguments } from 'class-validator';
import { isLosslessNumber } from 'lossless-json';
import {
  describeTextFault,
  documentAmountRule,
  isJsonObject,
  isText,
  mostEntries,
  parseDateTime,
  toDocumentAmount,
} from '#libs/obie-rules';
import { obField } from './member-faults.js';
import { member, type WireClass } from './members.js';

/** Documentation of a member, besides its rules. */
export interface MemberDescription {
  readonly description?: string;
  readonly example?: unknown;
}

/** The member is required and must not be `null`. */
export function Required(description: MemberDescription = {}, ...rules: PropertyDecorator[]): PropertyDecorator {
  return applyDecorators(
    ...rules,
    member(),
    IsDefined({ message: whyUndefined }),
    ApiProperty({ ...description, required: true }),
  );
}

function whyUndefined({ value }: { value: unknown }): string {
  return value === null ? 'must not be null' : 'is required';
}

/** The member is optional, but must not be `null`. */
export function Optional(description: MemberDescription = {}, ...rules: PropertyDecorator[]): PropertyDecorator {
  return applyDecorators(
    ...rules,
    member(),
    ValidateIf((_object, value) => value !== undefined),
    ApiProperty({ ...description, required: false }),
  );
}

/** A string of `shortest` to `longest` characters. */
export function ObText(longest: number, shortest = 1): PropertyDecorator {
  return applyDecorators(
    rule(
      'obText',
      (value) => isText(value, longest) && [...value].length >= shortest,
      (value) =>
        isText(value, longest) ? `must have ${shortest} to ${longest} characters` : describeTextFault(value, longest),
    ),
    ApiProperty({ type: 'string', minLength: shortest, maxLength: longest }),
  );
}

/** `true` or `false`. */
export function ObBoolean(): PropertyDecorator {
  return applyDecorators(
    rule('obBoolean', (value) => typeof value === 'boolean', 'must be true or false'),
    ApiProperty({ type: 'boolean' }),
  );
}

/** A nested object, kept as parsed: another reader checks its members, and the class describes them. */
export function ObRead(type: WireClass): PropertyDecorator {
  return applyDecorators(rule('obObject', isJsonObject, 'must be an object'), ApiProperty({ type }));
}

/** A string that matches a pattern. */
export function ObMatch(form: RegExp, message: string): PropertyDecorator {
  return applyDecorators(
    rule('obMatch', (value) => typeof value === 'string' && form.test(value), message),
    ApiProperty({ type: 'string', pattern: form.source }),
  );
}

/** One of the values of an enumeration. */
export function ObEnum(values: readonly string[], message = `must be one of ${values.join(', ')}`): PropertyDecorator {
  return applyDecorators(
    rule('obEnum', (value) => typeof value === 'string' && values.includes(value), message),
    ApiProperty({ type: 'string', enum: [...values] }),
  );
}

/** Values of an enumeration, at least one. */
export function ObEnums(values: readonly string[]): PropertyDecorator {
  const isList = (value: unknown) =>
    Array.isArray(value) && value.length > 0 && value.every((entry) => values.includes(entry as string));
  return applyDecorators(
    rule('obEnums', isList, `must be an array of at least one of ${values.join(', ')}`),
    ApiProperty({ type: 'array', items: { type: 'string', enum: [...values] }, minItems: 1 }),
  );
}

/** A member of another version, which must not be lost in this one. */
export function ObElsewhere(place: string): PropertyDecorator {
  return applyDecorators(
    member(),
    ValidateIf((_object, value) => value !== undefined),
    rule('obElsewhere', () => false, `is not part of this version: use ${place}`, obField('Field.Unexpected')),
  );
}

const isDateTime = (value: unknown) => typeof value === 'string' && parseDateTime(value) !== undefined;

/** An ISO 8601 date-time in any of its variants. */
export function ObDateTime(): PropertyDecorator {
  const message = 'must be an ISO 8601 date-time such as 2030-01-31T00:00:00+00:00';
  return applyDecorators(
    rule('obDateTime', isDateTime, message, obField('Field.InvalidDate')),
    ApiProperty({ type: 'string', format: 'date-time' }),
  );
}

/** A JSON number, kept as its decimal text. */
export function ObDecimalNumber(): PropertyDecorator {
  return applyDecorators(
    rule('obDecimalNumber', isLosslessNumber, 'must be a JSON number'),
    ApiProperty({ type: 'number' }),
  );
}

/** An amount as a string, or a whole number. */
export function ObAmountOrInteger(): PropertyDecorator {
  return applyDecorators(
    rule('obAmountOrInteger', (value) => toDocumentAmount(value) !== undefined, documentAmountRule),
    ApiProperty({
      type: Object,
      oneOf: [
        { type: 'string', pattern: '^[0-9]{1,13}([.][0-9]{1,5})?$' },
        { type: 'integer', format: 'int32' },
      ],
    }),
  );
}

/** An object with any members, kept as parsed. */
export function ObAnyObject(): PropertyDecorator {
  return applyDecorators(
    rule('obAnyObject', isJsonObject, 'must be an object'),
    ApiProperty({ type: 'object', additionalProperties: true }),
  );
}

/** A nested object with its own class. */
export function ObObject(type: WireClass): PropertyDecorator {
  return applyDecorators(
    member({ type }),
    rule('obObject', isJsonObject, 'must be an object'),
    ValidateNested({ message: 'must be an object' }),
    ApiProperty({ type }),
  );
}

/** Strings of 1 to `longest` characters each. */
export function ObTexts(longest: number, bounds: { atMost?: number } = {}): PropertyDecorator {
  const { atMost = mostEntries } = bounds;
  const findEntry = (value: unknown): number | undefined => {
    if (!Array.isArray(value) || value.length > atMost) return undefined;
    const index = value.findIndex((entry) => !isText(entry, longest));
    return index < 0 ? undefined : index;
  };
  const isList = (value: unknown) => Array.isArray(value) && value.length <= atMost && findEntry(value) === undefined;
  const describe = (value: unknown): string => {
    const entry = findEntry(value);
    return entry === undefined
      ? `must be an array of at most ${atMost} strings, each of 1 to ${longest} characters that people see as they are`
      : describeTextFault((value as readonly unknown[])[entry], longest);
  };
  return applyDecorators(
    rule('obTexts', isList, describe, obField('Field.Invalid', findEntry)),
    ApiProperty({ type: 'array', items: { type: 'string', minLength: 1, maxLength: longest }, maxItems: atMost }),
  );
}

/** Objects with their own class. */
export function ObObjects(type: WireClass, bounds: { atMost?: number } = {}): PropertyDecorator {
  const { atMost = mostEntries } = bounds;
  const isList = (value: unknown) => Array.isArray(value) && value.length <= atMost && value.every(isJsonObject);
  return applyDecorators(
    member({ type, atMost }),
    rule('obObjects', isList, `must be an array of at most ${atMost} objects`),
    ValidateNested({ each: true, message: 'must be an object' }),
    ApiProperty({ type, isArray: true, maxItems: atMost }),
  );
}

function rule(
  name: string,
  validate: (value: unknown) => boolean,
  message: string | ((value: unknown) => string),
  options?: ReturnType<typeof obField>,
): PropertyDecorator {
  const defaultMessage = (of?: ValidationArguments): string =>
    typeof message === 'string' ? message : message(of?.value);
  return ValidateBy({ name, validator: { validate, defaultMessage } }, options);
}
