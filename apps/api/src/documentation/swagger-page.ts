import type { ListedDocument } from './api-documents.js';
import { type Html, html } from '#libs/http-server';

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
