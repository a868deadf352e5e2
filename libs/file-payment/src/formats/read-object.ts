import { fieldInvalid, fieldMissing } from '#libs/error-catalogue';
import {
  completeDateTime,
  documentAmountRule,
  membersOfAddress,
  type Member,
  type ObjectForm,
  postalAddress7,
  type Read,
  toDocumentAmount,
} from '#libs/obie-rules';
import { MemberNames } from '../member-names.js';
import type { JsonObject, MemberReader } from '../member-reader.js';
import { type AddressReading, readPostalAddress } from './read-postal-address.js';

type ReadMember = (reader: MemberReader, name: string, value: unknown) => unknown;
type ReadMembers<Form> = (reader: MemberReader, object: JsonObject) => Read<Form>;

/** Address types are codes of ISO 20022; the result has the words of earlier versions. */
const address: AddressReading = {
  ...postalAddress7,
  rule: 'must be one of the address types of OBPostalAddress7 (BIZZ, DLVY, MLTO, PBOX, ADDR, HOME, CORR or STAT)',
  members: new MemberNames(membersOfAddress(postalAddress7)),
};

export const readPostalAddress7 = (parent: MemberReader, name: string, value: unknown) =>
  readPostalAddress(parent, name, value, address);

/** @returns the reader of an optional object: every member without a fault, in the order of the standard */
export function objectReader<Form extends ObjectForm>(
  form: Form,
): (parent: MemberReader, name: string, value: unknown) => Read<Form> | undefined {
  const read = membersReader(form);
  return (parent, name, value) => {
    const object = parent.optionalObject(name, value);
    return object && read(parent.in(name), object);
  };
}

/** @returns the reader of the members of an object */
export function membersReader<Form extends ObjectForm>(form: Form): ReadMembers<Form> {
  const members = Object.entries<Member>(form.members).map(([name, member]) => ({
    name,
    as: member.as ?? name.charAt(0).toLowerCase() + name.slice(1),
    isRequired: member.isRequired,
    isFlat: member.a === 'object' && member.isFlat,
    read: memberReader(member),
  }));
  const known = form.isClosed && new MemberNames(Object.keys(form.members));
  return (reader, object) => {
    if (known !== undefined) reader.onlyMembers(object, known);
    const values: Record<string, unknown> = {};
    for (const { name, as, isRequired, isFlat, read } of members) {
      const value = object[name];
      if (value === undefined) {
        if (isRequired) reader.fault(name, fieldMissing);
      } else if (isFlat) Object.assign(values, read(reader, name, value));
      else values[as] = read(reader, name, value);
    }
    return values as Read<Form>;
  };
}

function memberReader(member: Member): ReadMember {
  switch (member.a) {
    case 'text': {
      const { longest } = member;
      return (reader, name, value) => reader.optionalText(name, value, longest);
    }
    case 'texts': {
      const { longest, most } = member;
      return (reader, name, value) => reader.optionalTexts(name, value, most, longest);
    }
    case 'word': {
      const { rule } = member;
      const words = new Map(member.words.map((word) => [word, word]));
      return (reader, name, value) => reader.optionalWord(name, value, words, rule);
    }
    case 'match': {
      const { form, rule } = member;
      return (reader, name, value) => reader.optionalMatch(name, value, form, rule);
    }
    case 'moment':
      return readMoment;
    case 'document amount':
      return readDocumentAmount;
    case 'any object':
      return (reader, name, value) => reader.optionalObject(name, value);
    case 'address':
      return readPostalAddress7;
    case 'object':
      return objectReader(member.of);
    case 'objects': {
      const { most } = member;
      const read = membersReader(member.of);
      return (reader, name, value) => reader.optionalObjects(name, value, most, read);
    }
  }
}

function readMoment(reader: MemberReader, name: string, value: unknown): string | undefined {
  return reader.optionalDateTime(name, value) === undefined ? undefined : completeDateTime(String(value));
}

function readDocumentAmount(reader: MemberReader, name: string, value: unknown): string | undefined {
  const amount = toDocumentAmount(value);
  if (amount === undefined) reader.fault(name, (path) => fieldInvalid(path, documentAmountRule));
  return amount;
}
