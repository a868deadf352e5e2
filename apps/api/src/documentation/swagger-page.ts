import type { ListedDocument } from './api-documents.js';
import { type Html, html } from './html.js';

/** @returns content of the Swagger UI page, and what it loads besides the style sheet */
export function createSwaggerContent(documents: readonly ListedDocument[]): Html {
  return html`<div id="swagger-ui"><p class="loading">Loading the API reference …</p></div>
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

/**
 * Starts Swagger UI. A separate script, because pages have no inline scripts. It never asks for credentials, because
 * the page sends no requests.
 */
export function createSwaggerStart(documents: readonly ListedDocument[]): string {
  const urls = documents.map(({ name, title }) => ({ name: title, url: `/docs/openapi/${name}.json` }));
  return `window.addEventListener('load', () => {
  window.ui = SwaggerUIBundle({
    dom_id: '#swagger-ui',
    urls: ${JSON.stringify(urls)},
    layout: 'StandaloneLayout',
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [() => ({ wrapComponents: { authorizeBtn: () => () => null, authorizeOperationBtn: () => () => null } })],
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 3,
    defaultModelRendering: 'example',
    displayRequestDuration: false,
    filter: false,
    supportedSubmitMethods: [],
    tryItOutEnabled: false,
    validatorUrl: null,
  });
});
`;
}
