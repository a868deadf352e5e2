import type { ListedDocument } from './api-documents.js';
import { type Html, html } from '#libs/http-server';

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
  return `// What Swagger UI leaves out for keyboards and screen readers (WCAG 2.2, 1.3.1, 2.1.1, 4.1.2).
const mend = () => {
  const each = (selector, change) => document.querySelectorAll('#swagger-ui ' + selector).forEach(change);
  each('header', (header) => header.setAttribute('role', 'group'));
  each('header form', (form) => form.setAttribute('role', 'search'));
  each('.information-container, .scheme-container', (part) => part.setAttribute('role', 'region'));
  each('h3', (heading) => heading.setAttribute('aria-level', 2));
  each('h4', (heading) => heading.setAttribute('aria-level', 3));
  each('.swagger-ui__skip-link', (link) => (link.hidden = true));
  each('select:not([aria-label])', (select) => select.setAttribute('aria-label', select.id || 'example'));
  each('pre:not([tabindex])', (example) => (example.tabIndex = 0));
  each('[role=region]:not([aria-label])', (region) => region.setAttribute('aria-label', region.id || region.classList[0]));
  each('button a[href]', (link) => link.removeAttribute('href'));
};
window.addEventListener('load', () => {
  new MutationObserver(mend).observe(document.querySelector('#swagger-ui'), { childList: true, subtree: true });
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
