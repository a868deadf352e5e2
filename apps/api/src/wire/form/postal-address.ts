import { type AddressForm, country, longestAddressLine } from '#libs/obie-rules';
import { classWith, type WireClass } from './members.js';
import { ObEnum, ObMatch, ObText, ObTexts, Optional, type MemberDescription } from './rules.js';

const descriptions: Readonly<Record<string, MemberDescription>> = {
  PostCode: { description: 'Postal sorting identifier.', example: 'EC1A 1BB' },
  TownName: { example: 'London' },
};

const classes = new Map<AddressForm, WireClass>();

/** @returns the class of a postal address */
export function postalAddressOf(form: AddressForm): WireClass {
  const known = classes.get(form);
  if (known !== undefined) return known;
  const { className, types, texts, mostLines } = form;
  const members: Record<string, PropertyDecorator> = { AddressType: Optional({}, ObEnum([...types.keys()])) };
  for (const [name, longest] of Object.entries(texts)) members[name] = Optional(descriptions[name], ObText(longest));
  members.Country = Optional({ example: 'GB' }, ObMatch(country.form, country.rule));
  members.AddressLine = Optional({ example: ['1 High Street'] }, ObTexts(longestAddressLine, { atMost: mostLines }));
  const type = classWith(className, members, form);
  classes.set(form, type);
  return type;
}
