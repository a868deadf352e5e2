import type { StandardSection } from './error-entry.js';

const readWrite = 'https://openbankinguk.github.io/read-write-api-site3/v3.1.2';

/** Places in the standards that the catalogue refers to. */
export const sections = {
  obErrors: {
    title: 'Read/Write Data API Specification 3.1.2, Basics, 400 (Bad Request) v.s. 404 (Not Found) and error codes',
    url: `${readWrite}/profiles/read-write-data-api-profile.html`,
  },
  obNamespaces: {
    title: 'Read/Write API 3.1.2, Namespaced Enumerations, OBErrorResponseError1Code',
    url: `${readWrite}/references/namespaced-enumerations.html`,
  },
  obHeaders: {
    title: 'Read/Write Data API Specification 3.1.2, Basics, HTTP request headers',
    url: `${readWrite}/profiles/read-write-data-api-profile.html`,
  },
  obSigning: {
    title: 'Read/Write Data API Specification 3.1.2, Security and access control, message signing',
    url: `${readWrite}/profiles/read-write-data-api-profile.html`,
  },
  obIdempotency: {
    title: 'Read/Write Data API Specification 3.1.2, Basics, idempotency',
    url: `${readWrite}/profiles/read-write-data-api-profile.html`,
  },
  obFilePayments: {
    title: 'Read/Write API 3.1.2, File Payments and File Payment Consents',
    url: `${readWrite}/resources-and-data-models/pisp/file-payment-consents.html`,
  },
  obRegistration: {
    title: 'Open Banking Dynamic Client Registration v3.2',
    url: 'https://openbankinguk.github.io/dcr-docs-pub/v3.2/dynamic-client-registration.html',
  },
  customerExperience: {
    title: 'Open Banking Customer Experience Guidelines, authentication',
    url: 'https://standards.openbanking.org.uk/customer-experience-guidelines/',
  },
  rfc6749Token: { title: 'RFC 6749 section 5.2', url: 'https://www.rfc-editor.org/rfc/rfc6749#section-5.2' },
  rfc6749Redirect: { title: 'RFC 6749 section 4.1.2.1', url: 'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1' },
  rfc6750: { title: 'RFC 6750 section 3.1', url: 'https://www.rfc-editor.org/rfc/rfc6750#section-3.1' },
  rfc7591: { title: 'RFC 7591 section 3.2.2', url: 'https://www.rfc-editor.org/rfc/rfc7591#section-3.2.2' },
  rfc7592: { title: 'RFC 7592 section 2', url: 'https://www.rfc-editor.org/rfc/rfc7592#section-2' },
  rfc9126: { title: 'RFC 9126 sections 2 and 4', url: 'https://www.rfc-editor.org/rfc/rfc9126#section-4' },
  rfc7523: { title: 'RFC 7523 section 3', url: 'https://www.rfc-editor.org/rfc/rfc7523#section-3' },
  rfc7515: { title: 'RFC 7515 appendix F', url: 'https://www.rfc-editor.org/rfc/rfc7515#appendix-F' },
  rfc8705: { title: 'RFC 8705 section 3', url: 'https://www.rfc-editor.org/rfc/rfc8705#section-3' },
  oidcErrors: {
    title: 'OpenID Connect Core 1.0 section 3.1.2.6',
    url: 'https://openid.net/specs/openid-connect-core-1_0.html#AuthError',
  },
  fapi: {
    title: 'FAPI 1.0 Advanced section 5.2.2',
    url: 'https://openid.net/specs/openid-financial-api-part-2-1_0.html#authorization-server',
  },
} as const satisfies Record<string, StandardSection>;
