import 'reflect-metadata';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/**
 * Describes the members of an object that only the API document knows as a class.
 * @param type the class that stands for it
 * @param members by name; they are required unless `required` is false
 */
export function describeMembers(type: new () => object, members: Readonly<Record<string, ApiPropertyOptions>>): void {
  const prototype = type.prototype as object;
  for (const [name, options] of Object.entries(members)) {
    // What TypeScript emits for a union; its types are in `oneOf`.
    Reflect.defineMetadata('design:type', Object, prototype, name);
    ApiProperty(options)(prototype, name);
  }
}
