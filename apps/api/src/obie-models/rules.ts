import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { IsDefined, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { isLosslessNumber } from 'lossless-json';
import { obField } from '#libs/error-envelope';
import { isText, parseDateTime } from '#libs/obie-rules';

/** The member must be there. */
export function Required(): PropertyDecorator {
  return IsDefined({ message: 'is required' });
}

/** The member may be left out; `null` is a value, and a wrong one. */
export function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/** A string of 1 to `longest` characters. */
export function ObText(longest: number): PropertyDecorator {
  return rule('obText', (value) => isText(value, longest), `must be a string of 1 to ${longest} characters`);
}

/** A string of the given form. */
export function ObMatch(form: RegExp, message: string): PropertyDecorator {
  return rule('obMatch', (value) => typeof value === 'string' && form.test(value), message);
}

/** One of the values of an enumeration. */
export function ObEnum(values: readonly string[]): PropertyDecorator {
  return rule(
    'obEnum',
    (value) => typeof value === 'string' && values.includes(value),
    `must be one of ${values.join(', ')}`,
  );
}

/** An ISO 8601 date-time in any of its variants. */
export function ObDateTime(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'obDateTime',
      validator: {
        validate: (value) => typeof value === 'string' && parseDateTime(value) !== undefined,
        defaultMessage: () => 'must be an ISO 8601 date-time such as 2030-01-31T00:00:00+00:00',
      },
    },
    obField('UK.OBIE.Field.InvalidDate'),
  );
}

/** A JSON number; it keeps the decimal text that was sent. */
export function ObDecimalNumber(): PropertyDecorator {
  return applyDecorators(asParsed(), rule('obDecimalNumber', isLosslessNumber, 'must be a JSON number'));
}

/** An object with members of any kind, kept as it was parsed. */
export function ObAnyObject(): PropertyDecorator {
  return applyDecorators(asParsed(), rule('obAnyObject', isObject, 'must be an object'));
}

/** A nested object of a class of its own. */
export function ObObject(type: () => new () => object): PropertyDecorator {
  return applyDecorators(
    Type(type),
    rule('obObject', isObject, 'must be an object'),
    ValidateNested({ message: 'must be an object' }),
  );
}

/** class-transformer would build a new object of the value's class; the parsed value itself is wanted. */
function asParsed(): PropertyDecorator {
  return Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]);
}

function rule(name: string, validate: (value: unknown) => boolean, message: string): PropertyDecorator {
  return ValidateBy({ name, validator: { validate, defaultMessage: () => message } });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}
