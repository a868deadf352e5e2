import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { templates } from '../pages/create-eta.js';
import { cy } from './cy.js';
import { en, type MessageKey } from './en.js';
import { createWording, findWordingFaults, placeholdersOf } from './wording.js';

const keys = Object.keys(en) as MessageKey[];
const sources = join(import.meta.dirname, '..');
const sourceFiles = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.spec\.ts$|^wording\/(?:en|cy)\.ts$/.test(path),
);

describe('the wording files', () => {
  it('have the same texts in every language', () => {
    expect(Object.keys(cy)).toEqual(keys);
  });

  it.each(keys)('%s has the same values in every language, and no mistake', (key) => {
    expect(placeholdersOf(cy[key], 'cy')).toEqual(placeholdersOf(en[key], 'en'));
    expect(findWordingFaults('en', { [key]: en[key] })).toEqual([]);
    expect(findWordingFaults('cy', { [key]: cy[key] })).toEqual([]);
  });

  it('have Welsh words for everything but names', () => {
    const same = keys.filter((key) => en[key] === cy[key]);
    expect(same).toEqual(['layout.title', 'account.named', 'paymentType.BACS', 'paymentType.CHAPS', 'access.name']);
  });

  it('have no straight apostrophe, which is a special character in ICU', () => {
    expect(keys.filter((key) => /'/.test(en[key] + cy[key]))).toEqual([]);
  });

  it('have no text that no page says', () => {
    const read = sourceFiles.map((path) => readFileSync(join(sources, path), 'utf8'));
    const texts = [...read, ...templates.values()].join('\n');
    const isSaid = (key: string): boolean => {
      const stem = key.slice(0, key.lastIndexOf('.') + 1);
      const composed = [
        `'${stem}' +`,
        `\`${stem}\${`,
        `${stem}by' +`,
        `${stem}sortBy' +`,
        `${stem}you\${`,
        `${stem}other\${`,
      ];
      const isOfEnd = /^end\.\w+\.(?:title|text|next)$/.test(key);
      return isOfEnd || texts.includes(`'${key}'`) || composed.some((start) => texts.includes(start));
    };
    expect(keys.filter((key) => !isSaid(key))).toEqual([]);
  });
});

describe('a text of the pages is only in the wording files', () => {
  it.each([...templates])('template %s', (_name, template) => {
    const outside = template
      .replace(/<%[\s\S]*?%>/g, ' ')
      .replace(/<\/?[a-z!][^>]*>/gi, ' ')
      .replace(/&[a-z]+;/g, ' ');
    expect(outside).not.toMatch(/\p{L}/u);
    const shown = [...template.matchAll(/(?:alt|title|placeholder|aria-label)="([^"<]+)/g)].map(([, text]) => text);
    expect(shown).toEqual([]);
    // A tag contains keys, ids and names of values, none of which has two words.
    const chosen = [...template.matchAll(/<%([\s\S]*?)%>/g)].flatMap(([, code = '']) =>
      [...code.matchAll(/'([^']*)'/g)].map(([, text = '']) => text),
    );
    expect(chosen.filter((text) => isProse(text))).toEqual([]);
  });

  // What goes to the TPP is part of the API, in English.
  it('and no source file has one', () => {
    const prose = sourceFiles
      .filter(
        (path) =>
          !/^(?:documentation|look|psu-session\/error-of-ending|wording\/wording\.ts|pages\/(?:stylesheet|.*templates?)\.ts)/.test(
            path,
          ),
      )
      .flatMap((path) => textsOf(path).map((text) => `${path}: ${text}`));
    expect(prose).toEqual([]);
  });
});

describe('texts of a bank', () => {
  it.each([
    [{ 'signIn.titel': 'x' }, 'signIn.titel is not a text of the pages'],
    [{ 'signIn.title': '' }, 'signIn.title must be a string of at most 2000 characters'],
    [{ 'signIn.title': 7 }, 'signIn.title must be a string of at most 2000 characters'],
    [{ 'signIn.payment': 'Approve, please' }, 'signIn.payment leaves out {client}'],
    [{ 'signIn.payment': '{client} {bank}' }, 'signIn.payment names bank, which has no value there'],
    [{ 'signIn.payment': '<script>{client}</script>' }, 'signIn.payment names script, which has no value there'],
    [{ 'signIn.title': 'Sign {in' }, 'signIn.title is not an ICU message'],
  ])('%j: %s', (own, fault) => {
    expect(findWordingFaults('en', own)).toEqual([fault]);
  });

  it('take the place of the shipped ones', () => {
    const own = { 'signIn.title': 'Log on & in' };
    expect(findWordingFaults('en', own)).toEqual([]);
    const { en: words, cy: welsh } = createWording({ en: own });
    expect(words.text('signIn.title')).toBe('Log on & in');
    expect(String(words.html('signIn.title'))).toBe('Log on &amp; in');
    expect(words.text('signIn.password')).toBe('Password');
    expect(welsh.text('signIn.title')).toBe('Mewngofnodi');
  });
});

describe('words', () => {
  const { en: english, cy: welsh } = createWording();

  it('escape every value that is not markup', () => {
    const client = '<img src=x onerror=alert(1)>"&\'';
    expect(String(english.html('signIn.payment', { client }))).toBe(
      '<strong>&lt;img src=x onerror=alert(1)&gt;&quot;&amp;&#39;</strong> is asking you to pay from your account.',
    );
  });

  it.each([
    [0, '0 taliad'],
    [2, '2 daliad'],
    [3, '3 thaliad'],
    [6, '6 thaliad'],
    [150, '150 taliad'],
  ])('count %d as Welsh does', (count, payments) => {
    expect(welsh.text('common.total', { amount: '£1.00', count })).toBe(`£1.00 mewn ${payments}`);
  });

  it('say the amount alone of one payment', () => {
    for (const words of [welsh, english])
      expect(words.text('common.total', { amount: '£1.00', count: 1 })).toBe('£1.00');
  });

  it('name the moment as each language does', () => {
    const date = new Date('2027-01-05T14:05:00Z');
    expect(english.moment(date)).toBe('5 January 2027 at 14:05');
    expect(welsh.moment(date)).toBe('5 Ionawr 2027 am 14:05');
  });
});

/** Two words beside each other, but not in what machines read (headers, attributes). */
function isProse(text: string): boolean {
  return /\p{L}{2,}[,.:;!?’]?\s+\p{L}+/u.test(text) && !/[=]|^img-src|^code id_token$/.test(text);
}

/** @returns the texts of a source file that are not for developers or operators */
function textsOf(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(join(sources, path), 'utf8'), ts.ScriptTarget.ES2023, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isForDevelopers(node)) return;
    if (ts.isStringLiteralLike(node) && isProse(node.text)) found.push(node.text);
    if (ts.isTemplateExpression(node) && node.templateSpans.some(({ literal }) => isProse(literal.text)))
      found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Errors, the log, the audit trail; and headers and conditions of the database's answers. */
function isForDevelopers(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) return /Error$|Logger$/.test(node.expression.getText());
  if (ts.isCallExpression(node)) return /^super$|#logger\.|\.notes\./.test(node.expression.getText());
  return ts.isImportDeclaration(node);
}
