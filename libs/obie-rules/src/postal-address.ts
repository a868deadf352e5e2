import { addressTypes40, addressWords } from './code-sets.js';

/** The form of a postal address. Its reader, its class in the API document and what reports show are made from this. */
export interface AddressForm {
  /** in the standard */
  readonly className: string;
  /** the standard allows no other members */
  readonly isClosed?: true;
  /** kinds of address, each with its word in earlier versions */
  readonly types: ReadonlyMap<string, string>;
  /** members that are texts, each with its maximum characters, in the order of the standard */
  readonly texts: Readonly<Record<keyof typeof texts6, number>>;
  readonly mostLines: number;
}

const texts6 = {
  Department: 70,
  SubDepartment: 70,
  StreetName: 70,
  BuildingNumber: 16,
  PostCode: 16,
  TownName: 35,
  CountrySubDivision: 35,
} as const;

const texts7 = {
  Department: 70,
  SubDepartment: 70,
  StreetName: 140,
  BuildingNumber: 16,
  BuildingName: 140,
  Floor: 70,
  UnitNumber: 16,
  Room: 70,
  PostBox: 16,
  TownLocationName: 140,
  DistrictName: 140,
  CareOf: 140,
  PostCode: 16,
  TownName: 140,
  CountrySubDivision: 35,
} as const;

/** OBPostalAddress6 in files: 3.1.2 has two lines. */
export const postalAddress6 = {
  className: 'OBPostalAddress6',
  types: new Map(addressWords.map((type) => [type, type])),
  texts: texts6,
  mostLines: 2,
} as const satisfies AddressForm;

/** OBPostalAddress6 of one payment alone, in the edition 3.1.11. */
export const postalAddress6Single: AddressForm = { ...postalAddress6, isClosed: true, mostLines: 7 };

/** OBPostalAddress7. */
export const postalAddress7 = {
  className: 'OBPostalAddress7',
  isClosed: true,
  types: new Map(Object.entries(addressTypes40)),
  texts: texts7,
  mostLines: 7,
} as const satisfies AddressForm;

/** A member that names a country. */
export const country = { a: 'match', form: /^[A-Z]{2}$/, rule: 'must be two capital letters (ISO 3166)' } as const;

/** Maximum characters of a line of an address. */
export const longestAddressLine = 70;

/** @returns names of all members, in the order of the standard */
export function membersOfAddress({ texts }: AddressForm): readonly string[] {
  return ['AddressType', ...Object.keys(texts), 'Country', 'AddressLine'];
}

type AddressTexts = {
  readonly [Name in keyof typeof texts7 as Uncapitalize<Name>]?: string | undefined;
};

/** The postal address of a party. */
export interface PostalAddress extends AddressTexts {
  /** in the words of OBPostalAddress6, e.g. Business */
  readonly addressType?: string | undefined;
  readonly country?: string | undefined;
  readonly addressLine?: readonly string[] | undefined;
}
