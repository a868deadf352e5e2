import type { MemberNames } from '../member-names.js';
import type { JsonObject, MemberReader } from '../member-reader.js';
import { type AddressForm, country, longestAddressLine, type PostalAddress, postalAddress7 } from '#libs/obie-rules';

/** How an address is read. */
export interface AddressReading extends AddressForm {
  readonly rule: string;
  /** all members, if no others are allowed; then the members that only OBPostalAddress7 has are read too */
  readonly members?: MemberNames;
}

/** OBPostalAddress6 has none of the newer members. */
const none: JsonObject = {};
const { texts: newerTexts } = postalAddress7;

/** @returns every member of an address without a fault */
export function readPostalAddress(
  parent: MemberReader,
  name: string,
  value: unknown,
  form: AddressReading,
): PostalAddress | undefined {
  const address = parent.optionalObject(name, value);
  if (address === undefined) return undefined;
  const reader = parent.in(name);
  if (form.members !== undefined) reader.onlyMembers(address, form.members);
  const { texts } = form;
  const newer = form.members === undefined ? none : address;
  // One literal: V8 makes it much faster than a spread of two halves.
  return {
    addressType: reader.optionalWord('AddressType', address.AddressType, form.types, form.rule),
    department: reader.optionalText('Department', address.Department, texts.Department),
    subDepartment: reader.optionalText('SubDepartment', address.SubDepartment, texts.SubDepartment),
    streetName: reader.optionalText('StreetName', address.StreetName, texts.StreetName),
    buildingNumber: reader.optionalText('BuildingNumber', address.BuildingNumber, texts.BuildingNumber),
    postCode: reader.optionalText('PostCode', address.PostCode, texts.PostCode),
    townName: reader.optionalText('TownName', address.TownName, texts.TownName),
    countrySubDivision: reader.optionalText('CountrySubDivision', address.CountrySubDivision, texts.CountrySubDivision),
    country: reader.optionalMatch('Country', address.Country, country.form, country.rule),
    addressLine: reader.optionalTexts('AddressLine', address.AddressLine, form.mostLines, longestAddressLine),
    careOf: reader.optionalText('CareOf', newer.CareOf, newerTexts.CareOf),
    buildingName: reader.optionalText('BuildingName', newer.BuildingName, newerTexts.BuildingName),
    floor: reader.optionalText('Floor', newer.Floor, newerTexts.Floor),
    unitNumber: reader.optionalText('UnitNumber', newer.UnitNumber, newerTexts.UnitNumber),
    room: reader.optionalText('Room', newer.Room, newerTexts.Room),
    postBox: reader.optionalText('PostBox', newer.PostBox, newerTexts.PostBox),
    townLocationName: reader.optionalText('TownLocationName', newer.TownLocationName, newerTexts.TownLocationName),
    districtName: reader.optionalText('DistrictName', newer.DistrictName, newerTexts.DistrictName),
  };
}
