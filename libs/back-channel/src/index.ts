export { BackChannelModule } from './back-channel.module.js';
export { ClientAuthenticator } from './client-authenticator.service.js';
export { getClientCertificate } from './get-client-certificate.js';
export { isCertificateSubject } from './is-certificate-subject.js';
export { OAuthErrorFilter } from './oauth-error.filter.js';
export { PushedAuthorizationRequestEndpoint } from './pushed-authorization-request-endpoint.service.js';
export { readFormRequest } from './read-form-request.js';
export { sendDocument, uncached } from './send-document.js';
