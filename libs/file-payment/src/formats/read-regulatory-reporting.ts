import { completeDateTime, type RegulatoryDetail, type RegulatoryReport } from '#libs/obie-rules';
import { MemberNames } from '../member-names.js';
import type { JsonObject, MemberReader } from '../member-reader.js';
import { knownWords, mostEntries } from './known-words.js';
import { readCountry } from './read-postal-address.js';

const indicators = knownWords(['CRED', 'DEBT', 'BOTH']);
const amountMembers = new MemberNames(['Amount', 'Currency']);
const currencyForm = /^[A-Z]{3}$/;

/** Up to ten of OBRegulatoryReporting1. */
export function readRegulatoryReporting(item: MemberReader, value: unknown): RegulatoryReport[] | undefined {
  return item.optionalObjects('RegulatoryReporting', value, 10, (reader, report) => {
    const { DebitCreditReportingIndicator: indicator, Authority, Details } = report;
    const rule = 'must be CRED, DEBT or BOTH';
    return {
      indicator: reader.optionalWord('DebitCreditReportingIndicator', indicator, indicators, rule),
      authority: readAuthority(reader, Authority),
      details: reader.optionalObjects('Details', Details, mostEntries, readDetail),
    };
  });
}

function readAuthority(report: MemberReader, value: unknown): RegulatoryReport['authority'] {
  const authority = report.optionalObject('Authority', value);
  if (authority === undefined) return undefined;
  const reader = report.in('Authority');
  return {
    name: reader.optionalText('Name', authority.Name, 140),
    country: readCountry(reader, 'CountryCode', authority.CountryCode),
  };
}

function readDetail(reader: MemberReader, detail: JsonObject): RegulatoryDetail {
  return {
    type: reader.optionalText('Type', detail.Type, 35),
    date: readMoment(reader, 'Date', detail.Date),
    country: readCountry(reader, 'Country', detail.Country),
    ...readMoney(reader, detail.Amount),
    information: reader.optionalTexts('Information', detail.Information, mostEntries, 35),
  };
}

function readMoney(detail: MemberReader, value: unknown): Pick<RegulatoryDetail, 'amount' | 'currency'> {
  const money = detail.optionalObject('Amount', value);
  if (money === undefined) return {};
  const reader = detail.in('Amount');
  verifyAmountMembers(reader, money);
  const amount = reader.requiredAmount('Amount', money.Amount);
  const rule = 'must be three capital letters (ISO 4217)';
  const currency = reader.requiredMatch('Currency', money.Currency, currencyForm, rule);
  return { amount: amount === undefined ? undefined : String(money.Amount), currency };
}

/** Notes members that an amount may not have. */
export function verifyAmountMembers(reader: MemberReader, money: JsonObject): void {
  reader.onlyMembers(money, amountMembers);
}

/** An informative date-time: nothing depends on it. */
export function readMoment(reader: MemberReader, name: string, value: unknown): string | undefined {
  return reader.optionalDateTime(name, value) === undefined ? undefined : completeDateTime(String(value));
}
