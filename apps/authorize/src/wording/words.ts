import { IntlMessageFormat } from 'intl-messageformat';
import { LRUCache } from 'lru-cache';
import type { MessageKey } from './en.js';
import { locales, type Language } from './languages.js';

/** Markup made here: every text in it has been escaped. */
export class Html {
  constructor(private readonly markup: string) {}

  toString(): string {
    return this.markup;
  }
}

/** The values of the names in braces. */
export type MessageValues = Readonly<Record<string, string | number | Html>>;

type Parts = readonly (string | Html)[];

const timeZone = 'Europe/London';
/** Amounts have two digits or more, and at most five (OBIE). */
const digits = { minimumFractionDigits: 2, maximumFractionDigits: 5 };

/** The texts of the pages in one language, and its forms of money, days and numbers. */
export class Words {
  readonly #parsed = new Map<MessageKey, IntlMessageFormat>();
  /** texts without values: a page of many payments asks for the same ones again and again */
  readonly #plain = new Map<MessageKey, string>();
  readonly #currencies = new LRUCache<string, Intl.NumberFormat>({ max: 50 });
  readonly #days: Intl.DateTimeFormat;
  readonly #times: Intl.DateTimeFormat;

  constructor(
    readonly language: Language,
    private readonly messages: Readonly<Record<MessageKey, string>>,
  ) {
    const locale = locales[language];
    this.#days = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'long', year: 'numeric' });
    this.#times = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' });
  }

  /** @returns plain text, which the caller must escape in a page; tags in it have no effect */
  text(key: MessageKey, values?: MessageValues): string {
    if (values === undefined) {
      const known = this.#plain.get(key);
      if (known !== undefined) return known;
    }
    const text = String(this.#find(key).format({ ...values, b: withoutTag, hidden: withoutTag }));
    if (values === undefined) this.#plain.set(key, text);
    return text;
  }

  /** @returns markup: the text and its values are escaped, except values that are markup themselves */
  html(key: MessageKey, values: MessageValues = {}): Html {
    const parts = this.#find(key).formatToParts<unknown>({
      ...values,
      b: (inner: Parts) => new Html(`<strong>${join(inner)}</strong>`),
      hidden: (inner: Parts) => new Html(`<span class="visually-hidden">${join(inner)}</span>`),
    });
    return new Html(join(parts.map(({ value }) => value as string | Html)));
  }

  /** @param decimal decimal text, may be negative; @param currency ISO 4217 */
  money(decimal: string, currency: string): string {
    // Text, not a number: every digit is kept. The sign is the typographic minus.
    return this.#formatOf(currency)
      .format(decimal as Intl.StringNumericLiteral)
      .replace('-', '−');
  }

  /** @returns e.g. 24 November 2026, the day in London */
  day(date: Date): string {
    return this.#days.format(date);
  }

  /** @param text a day of the calendar, `YYYY-MM-DD` */
  dayOf(text: string): string {
    // Noon: the same day in London whatever the season.
    return this.day(new Date(`${text}T12:00:00Z`));
  }

  /** @returns the time of day in London, e.g. 14:05 */
  time(date: Date): string {
    return this.#times.format(date);
  }

  moment(date: Date): string {
    return this.text('common.moment', { day: this.day(date), time: this.time(date) });
  }

  /** @returns one, two and three */
  list(entries: readonly (string | number)[]): string {
    const last = entries.at(-1) ?? '';
    if (entries.length < 2) return String(last);
    return this.text('common.lastOfList', { others: entries.slice(0, -1).join(', '), last });
  }

  /** @returns the same as markup: one, two and three, or one, two or three */
  listOf(entries: readonly Html[], which: 'all' | 'any'): Html {
    const last = entries.at(-1) ?? new Html('');
    if (entries.length < 2) return last;
    const others = new Html(entries.slice(0, -1).join(', '));
    return this.html(which === 'all' ? 'common.lastOfList' : 'common.lastOfChoice', { others, last });
  }

  #find(key: MessageKey): IntlMessageFormat {
    const found = this.#parsed.get(key) ?? new IntlMessageFormat(this.messages[key], locales[this.language]);
    this.#parsed.set(key, found);
    return found;
  }

  #formatOf(currency: string): Intl.NumberFormat {
    const found =
      this.#currencies.get(currency) ??
      new Intl.NumberFormat(locales[this.language], {
        ...digits,
        style: 'currency',
        currency,
        currencyDisplay: currency === 'GBP' ? 'symbol' : 'code',
      });
    this.#currencies.set(currency, found);
    return found;
  }
}

const withoutTag = (parts: Parts): string => parts.join('');

/** @returns a foreign text, isolated so that right-to-left characters in it cannot rearrange the page */
export function foreignText(text: string): Html {
  return new Html(`<bdi>${escapeHtml(text)}</bdi>`);
}

/** A number this short stays on its line, although it has spaces or hyphens: a phone is as wide. */
export function fitsOnLine(number: string): boolean {
  return number.length <= 20;
}

/** @param attributes of our own; @returns a text in an element */
export function element(attributes: string, text: string, name: 'span' | 'a' | 'bdi' = 'span'): Html {
  return new Html(`<${name} ${attributes}>${escapeHtml(text)}</${name}>`);
}

function join(parts: Parts): string {
  return parts.map((part) => (part instanceof Html ? part.toString() : escapeHtml(part))).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
