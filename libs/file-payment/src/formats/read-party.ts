import { MemberNames } from '../member-names.js';
import type { MemberReader } from '../member-reader.js';
import {
  agentSchemes,
  leiForm,
  membersOfAddress,
  type Party,
  partySchemes,
  type PostalAddress,
  postalAddress7,
} from '#libs/obie-rules';
import { knownWords } from './known-words.js';
import { type AddressReading, readPostalAddress } from './read-postal-address.js';

const agentMembers = new MemberNames(['SchemeName', 'Identification', 'Name', 'LEI', 'PostalAddress']);
const knownAgentSchemes = knownWords(agentSchemes);
const knownPartySchemes = knownWords(partySchemes);

/** Its codes are those of ISO 20022, its words those of earlier versions. */
const address: AddressReading = {
  ...postalAddress7,
  className: 'OBPostalAddress7 (BIZZ, DLVY, MLTO, PBOX, ADDR, HOME, CORR or STAT)',
  members: new MemberNames(membersOfAddress(postalAddress7)),
};

export function readPostalAddress7(parent: MemberReader, name: string, value: unknown): PostalAddress | undefined {
  return readPostalAddress(parent, name, value, address);
}

/** The bank of the payee. */
export function readCreditorAgent(item: MemberReader, value: unknown): Party | undefined {
  const agent = item.optionalObject('CreditorAgent', value);
  if (agent === undefined) return undefined;
  const reader = item.in('CreditorAgent');
  reader.onlyMembers(agent, agentMembers);
  return {
    name: reader.optionalText('Name', agent.Name, 140),
    scheme: reader.optionalWord('SchemeName', agent.SchemeName, knownAgentSchemes, 'must be UK.OBIE.BICFI'),
    identification: reader.optionalText('Identification', agent.Identification, 35),
    lei: readLei(reader, agent.LEI),
    postalAddress: readPostalAddress7(reader, 'PostalAddress', agent.PostalAddress),
  };
}

/** The ultimate debtor or creditor (OBUltimateDebtor1, OBUltimateCreditor1). */
export function readUltimateParty(item: MemberReader, name: string, value: unknown): Party | undefined {
  const party = item.optionalObject(name, value);
  if (party === undefined) return undefined;
  const reader = item.in(name);
  const rule = 'must be one of the schemes of OBInternalAccountIdentification4Code, e.g. UK.OBIE.IBAN';
  return {
    name: reader.optionalText('Name', party.Name, 140),
    scheme: reader.optionalWord('SchemeName', party.SchemeName, knownPartySchemes, rule),
    identification: reader.optionalText('Identification', party.Identification, 256),
    lei: readLei(reader, party.LEI),
    postalAddress: readPostalAddress7(reader, 'PostalAddress', party.PostalAddress),
  };
}

function readLei(reader: MemberReader, value: unknown): string | undefined {
  return reader.optionalMatch('LEI', value, leiForm, 'must be a legal entity identifier of 20 characters (ISO 17442)');
}
