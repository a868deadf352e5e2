import type { MemberNames } from '../member-names.js';
import type { JsonObject, MemberReader } from '../member-reader.js';
import type { PostalAddress } from '#libs/obie-rules';

/** What differs between OBPostalAddress6 and OBPostalAddress7. */
export interface AddressForm {
  /** the kinds of address, each with the word for it in every format */
  readonly types: ReadonlyMap<string, string>;
  readonly className: string;
  readonly longestStreet: number;
  readonly longestTown: number;
  readonly mostLines: number;
  /** all members, if no others are allowed; the members that only OBPostalAddress7 has are then read too */
  readonly members?: MemberNames;
}

const countryForm = /^[A-Z]{2}$/;

/** ISO 3166: two capital letters. */
export function readCountry(reader: MemberReader, name: string, value: unknown): string | undefined {
  return reader.optionalMatch(name, value, countryForm, 'must be two capital letters (ISO 3166)');
}

/** OBPostalAddress6 has none of the newer members. */
const none: JsonObject = {};

/** @returns every member of an address without a fault */
export function readPostalAddress(
  parent: MemberReader,
  name: string,
  value: unknown,
  form: AddressForm,
): PostalAddress | undefined {
  const address = parent.optionalObject(name, value);
  if (address === undefined) return undefined;
  const reader = parent.in(name);
  const rule = `must be one of the address types of ${form.className}`;
  if (form.members !== undefined) reader.onlyMembers(address, form.members);
  const newer = form.members === undefined ? none : address;
  // One literal: V8 makes it much faster than a spread of two halves.
  return {
    addressType: reader.optionalWord('AddressType', address.AddressType, form.types, rule),
    department: reader.optionalText('Department', address.Department, 70),
    subDepartment: reader.optionalText('SubDepartment', address.SubDepartment, 70),
    streetName: reader.optionalText('StreetName', address.StreetName, form.longestStreet),
    buildingNumber: reader.optionalText('BuildingNumber', address.BuildingNumber, 16),
    postCode: reader.optionalText('PostCode', address.PostCode, 16),
    townName: reader.optionalText('TownName', address.TownName, form.longestTown),
    countrySubDivision: reader.optionalText('CountrySubDivision', address.CountrySubDivision, 35),
    country: readCountry(reader, 'Country', address.Country),
    addressLine: reader.optionalTexts('AddressLine', address.AddressLine, form.mostLines, 70),
    careOf: reader.optionalText('CareOf', newer.CareOf, 140),
    buildingName: reader.optionalText('BuildingName', newer.BuildingName, 140),
    floor: reader.optionalText('Floor', newer.Floor, 70),
    unitNumber: reader.optionalText('UnitNumber', newer.UnitNumber, 16),
    room: reader.optionalText('Room', newer.Room, 70),
    postBox: reader.optionalText('PostBox', newer.PostBox, 16),
    townLocationName: reader.optionalText('TownLocationName', newer.TownLocationName, 140),
    districtName: reader.optionalText('DistrictName', newer.DistrictName, 140),
  };
}
