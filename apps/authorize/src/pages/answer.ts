import type { FastifyReply } from 'fastify';
import {
  chooseLanguage,
  createLanguageCookie,
  languageParameter,
  locales,
  parseLanguage,
} from '../wording/languages.js';
import { readWord, saidCookie } from './carried-word.js';
import { pageHeaders } from './page-headers.js';
import type { ReadablePage } from './page-renderer.js';

/** The answer to a request for a page. */
export type Answer =
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly page: ReadablePage;
      /** the languages that the app asked for, if the page is of a journey */
      readonly uiLocales?: readonly string[] | undefined;
      /** where the page's forms may lead besides this service */
      readonly redirectUri?: string;
      /** the page has our one script */
      readonly hasScript?: boolean;
      readonly cookies?: readonly string[];
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'redirect';
      /** 302 after GET, 303 after POST; never 307, which would send the PSU's form on to the TPP (RFC 9700 s4.12) */
      readonly status: 302 | 303;
      readonly location: string;
      readonly cookies?: readonly string[];
    };

/** A page as an answer. */
export type PageAnswer = Extract<Answer, { kind: 'page' }>;

/** Writes an answer, with the headers that protect the pages. */
export function sendAnswer(reply: FastifyReply, answer: Answer): void {
  void reply.send(prepareAnswer(reply, answer));
}

/**
 * Sets status and headers of an answer, with those that protect the pages.
 * @returns its body
 */
export function prepareAnswer(reply: FastifyReply, answer: Answer): Buffer | undefined {
  const { url } = reply.request;
  const asked = new URLSearchParams(queryOf(url)).get(languageParameter) ?? undefined;
  const remembered = parseLanguage(asked);
  const isSaid = answer.kind === 'page' && readWord(reply.request.headers.cookie, url) !== undefined;
  const cookies = [
    ...(answer.cookies ?? []),
    ...(remembered === undefined ? [] : [createLanguageCookie(remembered)]),
    ...(isSaid && reply.request.method === 'GET' ? [saidCookie] : []),
  ];
  if (cookies.length > 0) void reply.header('set-cookie', cookies);
  if (answer.kind === 'redirect') {
    void reply.status(answer.status).headers(pageHeaders()).header('location', answer.location);
    return undefined;
  }
  const { cookie: cookieHeader, 'accept-language': acceptLanguage } = reply.request.headers;
  const language = chooseLanguage({ asked, cookieHeader, uiLocales: answer.uiLocales, acceptLanguage });
  const html = answer.page({ language, address: addressOf(reply) });
  void reply
    .status(answer.status)
    .headers({ ...pageHeaders(answer.redirectUri, answer.hasScript), ...answer.headers })
    .header('content-language', locales[language])
    .type('text/html; charset=utf-8');
  return Buffer.from(html);
}

/** Links use GET, and the endpoint that starts a journey is not the address of its page. */
function addressOf({ request }: FastifyReply): string | undefined {
  const isOwn = request.method === 'GET' && request.url.length <= longestAddress && !request.url.startsWith('/oauth2/');
  return isOwn ? request.url : undefined;
}

const longestAddress = 1_000;

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/**
 * Sets the headers of a word for a page's script.
 * @returns the word
 */
export function prepareText(reply: FastifyReply, text: string): string {
  void reply.headers(pageHeaders()).type('text/plain; charset=utf-8');
  return text;
}
