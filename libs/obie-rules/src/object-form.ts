import type { AddressForm, PostalAddress } from './postal-address.js';

/** An object of the standard. Its reader, its class in the API document and its type are made from this. */
export interface ObjectForm {
  /** in the standard */
  readonly className: string;
  /** the standard allows no other members */
  readonly isClosed?: true;
  /** in the order of the standard */
  readonly members: Readonly<Record<string, Member>>;
}

export type Member = MemberForm & {
  /** its name within the service, if not that of the standard */
  readonly as?: string;
  readonly isRequired?: true;
  readonly description?: string;
  readonly example?: unknown;
};

type MemberForm =
  | { readonly a: 'text'; readonly longest: number }
  | { readonly a: 'texts'; readonly longest: number; readonly most: number }
  | { readonly a: 'word'; readonly words: readonly string[]; readonly rule: string }
  | { readonly a: 'match'; readonly form: RegExp; readonly rule: string }
  /** informative: nothing depends on it */
  | { readonly a: 'moment' }
  | { readonly a: 'document amount' }
  | { readonly a: 'any object' }
  | { readonly a: 'address'; readonly of: AddressForm }
  /** flat: its members are those of the object around it */
  | { readonly a: 'object'; readonly of: ObjectForm; readonly isFlat?: true }
  | { readonly a: 'objects'; readonly of: ObjectForm; readonly most: number };

type NameOf<Name extends string, M> = M extends { as: infer As extends string } ? As : Uncapitalize<Name>;
type ValueOf<M> = M extends { a: 'texts' }
  ? readonly string[]
  : M extends { a: 'address' }
    ? PostalAddress
    : M extends { a: 'object'; of: infer Form }
      ? Read<Form>
      : M extends { a: 'objects'; of: infer Form }
        ? readonly Read<Form>[]
        : string;

/** The result of reading an object: each member without a fault. */
export type Read<Form> = Form extends { members: infer Members }
  ? {
      readonly [Name in Exclude<keyof Members & string, Flat<Members>> as NameOf<Name, Members[Name]>]?:
        ValueOf<Members[Name]> | undefined;
    } & ([Flat<Members>] extends [never] ? unknown : ValueOf<Members[Flat<Members>]>)
  : never;

type Flat<Members> = { [Name in keyof Members]: Members[Name] extends { isFlat: true } ? Name : never }[keyof Members];

export const text = (longest: number) => ({ a: 'text', longest }) as const;
export const texts = (longest: number, most: number = mostEntries) => ({ a: 'texts', longest, most }) as const;

/** Maximum entries of an array that the standard does not bound. */
export const mostEntries = 20;
