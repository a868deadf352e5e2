import { type AddressForm, country, longestAddressLine } from '#libs/obie-rules';
import { Closed, type WireClass } from './members.js';
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
  const { className, isClosed, types, texts, mostLines } = form;
  const type = { [className]: class {} }[className] as WireClass;
  classes.set(form, type);
  const declare = (name: string, description: MemberDescription | undefined, rule: PropertyDecorator): void => {
    rule(type.prototype as object, name);
    Optional(description)(type.prototype as object, name);
  };
  declare('AddressType', undefined, ObEnum([...types.keys()]));
  for (const [name, longest] of Object.entries(texts)) declare(name, descriptions[name], ObText(longest));
  declare('Country', { example: 'GB' }, ObMatch(country.form, country.rule));
  declare('AddressLine', { example: ['1 High Street'] }, ObTexts(longestAddressLine, { atMost: mostLines }));
  if (isClosed) Closed()(type);
  return type;
}
