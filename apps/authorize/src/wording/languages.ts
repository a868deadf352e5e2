import Negotiator from 'negotiator';

/** As `ui_locales_supported` of discovery names them; the first is the default. */
export const locales = { en: 'en-GB', cy: 'cy' } as const;
export type Language = keyof typeof locales;

export const languageParameter = 'language';
const cookieName = '__Host-language';
const oneYearSeconds = 31_536_000;

/** The signs of a customer's language, by precedence. */
export interface LanguageSigns {
  /** of the link on the page */
  readonly asked?: string | undefined;
  /** contains the language chosen earlier */
  readonly cookieHeader?: string | undefined;
  /** `ui_locales` of the request that began the journey (OIDC Core s3.1.2.1) */
  readonly uiLocales?: readonly string[] | undefined;
  readonly acceptLanguage?: string | undefined;
}

/** @returns the first wanted language that the pages have */
export function chooseLanguage({ asked, cookieHeader, uiLocales = [], acceptLanguage }: LanguageSigns): Language {
  const remembered = /(?:^|;)\s*__Host-language=(\w+)/.exec(cookieHeader ?? '')?.[1];
  const headers = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage };
  const wanted = [asked, remembered, ...uiLocales, ...new Negotiator({ headers }).languages()];
  return wanted.map(parseLanguage).find((language) => language !== undefined) ?? 'en';
}

/**
 * @returns the language of a tag (RFC 5646), whatever region and script it names; undefined if the pages do not have it
 */
export function parseLanguage(tag: string | undefined): Language | undefined {
  const [primary = ''] = (tag ?? '').toLowerCase().split('-');
  return Object.hasOwn(locales, primary) ? (primary as Language) : undefined;
}

/** @returns the Set-Cookie header that remembers the language */
export function createLanguageCookie(language: Language): string {
  return `${cookieName}=${language}; Path=/; Max-Age=${oneYearSeconds}; HttpOnly; Secure; SameSite=Lax`;
}

/** @param address of a page of this service; @returns the same page in a language */
export function inLanguage(address: string, language: Language): string {
  const [path = '', query] = address.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set(languageParameter, language);
  return `${path}?${parameters.toString()}`;
}
