import { type Html, html } from '#libs/http-server';
import type { ListedDocument } from './api-documents.js';

/** What surrounds the content of a documentation page. */
export interface Page {
  readonly title: string;
  /** name of the bank */
  readonly bankName: string;
  readonly content: Html;
  /** files of /docs/assets to load before the style sheet of the documentation */
  readonly stylesheets?: readonly string[];
  /** whether the page is as wide as the window, and its content has the main landmark */
  readonly isWide?: boolean;
}

/** @returns a complete documentation page; its style sheet comes from this server */
export function renderPage({ title, bankName, content, stylesheets = [], isWide = false }: Page): string {
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${bankName}</title>
        <link rel="icon" href="data:," />
        ${[...stylesheets, 'docs.css'].map((name) => html`<link rel="stylesheet" href="/docs/assets/${name}" /> `)}
      </head>
      <body>
        ${isWide ? html`<a class="skip" href="#operations">Skip to the operations</a>` : ''}
        <header class="site-header">
          <div class="frame">
            <p class="bank-name">${bankName} <span>for developers</span></p>
            <nav aria-label="Documentation"><a href="/docs">API reference</a><a href="/docs/errors">Errors</a></nav>
          </div>
        </header>
        ${
          isWide
            ? html`<div class="frame wide paper">${content}</div>`
            : html`<main class="frame paper">${content}</main>`
        }
      </body>
    </html> `.text;
}

/** @returns content of the Swagger UI page, with the scripts that it loads */
export function createSwaggerContent(documents: readonly ListedDocument[]): Html {
  const urls = documents.map(({ name, title }) => ({ name: title, url: `/docs/openapi/${name}.json` }));
  return html`<div id="swagger-ui" data-documents="${JSON.stringify(urls)}">
      <p class="loading">Loading the API reference …</p>
    </div>
    <noscript
      ><p>
        The reference needs JavaScript. The same documents as files:
        ${documents.map(({ name, title }) => html`<a href="/docs/openapi/${name}.yaml">${title}</a> `)}
      </p></noscript
    >
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/assets/swagger-ui-standalone-preset.js"></script>
    <script src="/docs/assets/start.js"></script>`;
}

/** Style sheet of Swagger UI, loaded before that of the documentation. */
export const swaggerStylesheets = ['swagger-ui.css'];
