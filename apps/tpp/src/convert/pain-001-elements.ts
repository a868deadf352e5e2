import type { Element } from '@xmldom/xmldom';
import { type Findings, isForeignBic, payerCure, quoted } from './findings.js';

const childrenOf = (element: Element | undefined): Element[] =>
  [...(element?.childNodes ?? [])].filter((node): node is Element => node.nodeType === 1);

/** @returns the first element on a path of children */
export function find(element: Element, names: readonly string[]): Element | undefined {
  let found: Element | undefined = element;
  for (const name of names) found = childrenOf(found).find(({ localName }) => localName === name);
  return found;
}

export const textOf = (element: Element | undefined): string => (element?.textContent ?? '').trim();

/** Elements that the payments are made of, or that are compared with them. Paths begin at PmtInf or CdtTrfTxInf. */
const read = new Set([
  'GrpHdr/NbOfTxs',
  'GrpHdr/CtrlSum',
  'NbOfTxs',
  'CtrlSum',
  'PmtMtd',
  'ReqdExctnDt/Dt',
  'PmtTpInf/InstrPrty',
  'PmtTpInf/SvcLvl',
  'PmtTpInf/LclInstrm',
  'PmtId/InstrId',
  'PmtId/EndToEndId',
  'Amt/InstdAmt',
  'CdtrAgt/FinInstnId/ClrSysMmbId/ClrSysId/Cd',
  'CdtrAgt/FinInstnId/ClrSysMmbId/MmbId',
  'Cdtr/Nm',
  'CdtrAcct/Id/IBAN',
  'CdtrAcct/Id/Othr/Id',
  'CdtrAcct/Id/Othr/SchmeNm/Cd',
  'CdtrAcct/Ccy',
  'RmtInf/Ustrd',
  'RmtInf/Strd/CdtrRefInf/Ref',
]);
/** These begin paths of their own. */
const roots = new Set(['CstmrCdtTrfInitn', 'PmtInf', 'CdtTrfTxInf']);
/** Only the first is carried; the others are named. */
const lists = new Set(['RmtInf/Ustrd', 'RmtInf/Strd']);

/** Elements that would change who is paid, when, how or in which currency: any other text is refused. */
const refused: Readonly<Record<string, { isTaken: (text: string) => boolean; rule: string }>> = {
  'PmtTpInf/InstrPrty': mustBe(/^NORM$/, 'NORM'),
  'PmtTpInf/SvcLvl': mustBe(/^URNS$/, 'URNS, Faster Payments'),
  'PmtTpInf/LclInstrm': mustBe(/^(?:UK\.OBIE\.)?FPS$/, 'FPS'),
  'ReqdExctnDt/DtTm': mustBe(/^$/, 'a day, in Dt'),
  'Amt/EqvtAmt': mustBe(/^$/, 'Amt/InstdAmt in GBP'),
  XchgRateInf: mustBe(/^$/, 'omitted: payments are in GBP'),
  ChqInstr: mustBe(/^$/, 'omitted: no cheques are drawn'),
  IntrmyAgt1: mustBe(/^$/, 'omitted: payments have no intermediary'),
  InstrForCdtrAgt: mustBe(/^$/, 'omitted: the payee’s bank gets no instructions'),
  InstrForDbtrAgt: mustBe(/^$/, 'omitted: the bank gets no instructions'),
  'CdtrAcct/Ccy': mustBe(/^GBP$/, 'GBP'),
  'CdtrAcct/Prxy': mustBe(/^$/, 'omitted: the account is in CdtrAcct/Id'),
  'CdtrAcct/Id/Othr/SchmeNm': mustBe(/^BBAN$/, 'BBAN'),
  'CdtrAgt/FinInstnId/ClrSysMmbId/ClrSysId': mustBe(/^GBDSC$/, 'GBDSC, UK sort codes'),
  'CdtrAgt/FinInstnId/BICFI': { isTaken: (bic) => !isForeignBic(bic), rule: 'of a bank in the UK' },
  'CdtrAgt/FinInstnId/PstlAdr/Ctry': mustBe(/^(?:GB|GG|JE|IM)$/, 'GB'),
};

function mustBe(form: RegExp, rule: string): { isTaken: (text: string) => boolean; rule: string } {
  return { isTaken: (text) => form.test(text), rule };
}

const parents = new Set(
  [...read, ...Object.keys(refused)].flatMap((path) =>
    path.split('/').map((_, end, names) => names.slice(0, end).join('/')),
  ),
);

/** Walks through all elements, refuses those that must not be dropped, and names the others that are. */
export function nameOtherElements(element: Element, findings: Findings, path: readonly string[] = []): void {
  const seen = new Set<string>();
  for (const child of childrenOf(element)) {
    const name = child.localName ?? '';
    const line = child.lineNumber ?? 1;
    if (roots.has(name)) {
      nameOtherElements(child, findings);
      continue;
    }
    const own = [...path, name];
    const at = own.join('/');
    const rule = refused[at];
    if (rule !== undefined && !rule.isTaken(textOf(child)))
      findings.fail(line, `${at} must be ${rule.rule}, not ${quoted(textOf(child).replaceAll(/\s+/g, ' '))}.`);
    const isAgain = seen.has(name);
    seen.add(name);
    if (lists.has(at) && (isAgain || (name === 'Ustrd' && find(element, ['Strd', 'CdtrRefInf', 'Ref']) !== undefined)))
      findings.notCarried(line, `A further ${at}`);
    else if (isAgain && (read.has(at) || parents.has(at))) findings.fail(line, `${at} must not be repeated.`);
    else if (parents.has(at)) nameOtherElements(child, findings, own);
    else if (!read.has(at)) findings.notCarried(line, at, at.startsWith('Dbtr') ? payerCure : undefined);
  }
}
