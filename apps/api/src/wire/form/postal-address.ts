import { type AddressForm, longestAddressLine } from '#libs/obie-rules';
import { ObEnum, ObMatch, ObText, ObTexts, Optional, type MemberDescription } from './rules.js';

const descriptions: Readonly<Record<string, MemberDescription>> = {
  PostCode: { description: 'Postal sorting identifier.', example: 'EC1A 1BB' },
  TownName: { example: 'London' },
};

/** @returns the members of a postal address */
export function postalAddressOf({ types, texts, mostLines }: AddressForm) {
  class PostalAddressMembers {}
  const declare = (name: string, description: MemberDescription | undefined, rule: PropertyDecorator): void => {
    rule(PostalAddressMembers.prototype, name);
    Optional(description)(PostalAddressMembers.prototype, name);
  };
  declare('AddressType', undefined, ObEnum([...types.keys()]));
  for (const [name, longest] of Object.entries(texts)) declare(name, descriptions[name], ObText(longest));
  const country = ObMatch(/^[A-Z]{2}$/, 'must be two capital letters (ISO 3166)');
  declare('Country', { example: 'GB' }, country);
  declare('AddressLine', { example: ['1 High Street'] }, ObTexts(longestAddressLine, { atMost: mostLines }));
  return PostalAddressMembers;
}
