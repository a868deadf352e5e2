// Starts Swagger UI. It never asks for credentials, because the page sends no requests.

// Adds what Swagger UI lacks for keyboards and screen readers (WCAG 2.2, 1.3.1, 2.1.1, 4.1.2).
const each = (selector, change) => document.querySelectorAll('#swagger-ui ' + selector).forEach(change);
const mend = () => {
  each('header', (header) => header.setAttribute('role', 'group'));
  each('header form', (form) => form.setAttribute('role', 'search'));
  each('.information-container, .scheme-container', (part) => part.setAttribute('role', 'region'));
  each('h3', (heading) => heading.setAttribute('aria-level', 2));
  each('h4', (heading) => heading.setAttribute('aria-level', 3));
  each('.swagger-ui__skip-link', (link) => (link.hidden = true));
  each('select:not([aria-label])', (select) => select.setAttribute('aria-label', select.id || 'example'));
  each('pre:not([tabindex])', (example) => (example.tabIndex = 0));
  each('[role=region]:not([aria-label])', (region) =>
    region.setAttribute('aria-label', region.id || region.classList[0]),
  );
  each('button a[href]', (link) => link.removeAttribute('href'));
};
window.addEventListener('load', () => {
  const page = document.querySelector('#swagger-ui');
  new MutationObserver(mend).observe(page, { childList: true, subtree: true });
  window.ui = SwaggerUIBundle({
    dom_id: '#swagger-ui',
    urls: JSON.parse(page.dataset.documents),
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
