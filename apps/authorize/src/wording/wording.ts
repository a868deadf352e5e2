import { IntlMessageFormat } from 'intl-messageformat';
import { cy } from './cy.js';
import { en, type MessageKey } from './en.js';
import { locales, type Language } from './languages.js';
import { Words } from './words.js';

/** The texts of the pages in every language. */
export type Wording = Readonly<Record<Language, Words>>;

/** A bank's own texts, by their keys. */
export type OwnTexts = Readonly<Record<string, unknown>>;

const shipped: Readonly<Record<Language, Readonly<Record<MessageKey, string>>>> = { en, cy };
const longestText = 2_000;

/**
 * @param own verified texts of a bank that replace the shipped ones
 * @returns all languages
 */
export function createWording(own: Readonly<Partial<Record<Language, OwnTexts>>> = {}): Wording {
  return {
    en: new Words('en', { ...shipped.en, ...own.en }),
    cy: new Words('cy', { ...shipped.cy, ...own.cy }),
  };
}

/** @returns what is wrong with a bank's own texts: each names its key */
export function findWordingFaults(language: Language, own: OwnTexts): string[] {
  return Object.entries(own).flatMap(([key, text]) => findTextFaults(language, key, text));
}

function findTextFaults(language: Language, key: string, text: unknown): string[] {
  if (!Object.hasOwn(en, key)) return [`${key} is not a text of the pages`];
  if (typeof text !== 'string' || text.trim() === '' || text.length > longestText)
    return [`${key} must be a string of at most ${longestText} characters`];
  try {
    const expected = placeholdersOf(en[key as MessageKey], 'en');
    const actual = placeholdersOf(text, language);
    const missing = [...expected.values].filter((name) => !actual.values.has(name));
    const unknown = [...actual.values, ...actual.tags].filter(
      (name) => !expected.values.has(name) && !expected.tags.has(name),
    );
    return [
      ...missing.map((name) => `${key} leaves out {${name}}`),
      ...unknown.map((name) => `${key} names ${name}, which has no value there`),
    ];
  } catch {
    return [`${key} is not an ICU message`];
  }
}

interface Placeholders {
  readonly values: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
}

/** @returns the names in braces and the tags of a text */
export function placeholdersOf(text: string, language: Language): Placeholders {
  const values = new Set<string>();
  const tags = new Set<string>();
  const visit = (elements: ReturnType<IntlMessageFormat['getAst']>): void => {
    for (const element of elements) {
      if ('children' in element) {
        tags.add(element.value);
        visit(element.children);
        continue;
      }
      if ('value' in element && element.type !== literal) values.add(element.value);
      if ('options' in element) for (const { value } of Object.values(element.options)) visit(value);
    }
  };
  visit(new IntlMessageFormat(text, locales[language]).getAst());
  return { values, tags };
}

/** The element of a message that is literal text (`TYPE.literal` of the parser). */
const literal = 0;
