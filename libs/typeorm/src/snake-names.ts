import { DefaultNamingStrategy } from 'typeorm';

/** Columns are named as their property, in snake case: `clientId` is client_id. */
export class SnakeNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return (
      customName ?? [...prefixes, propertyName].join('_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    );
  }
}
