/** The TPP's program, as tests act for it and its customers. */
export { approve, confirm, signIn } from '../../../apps/tpp/src/customer/approve.js';
export { CustomerBrowser } from '../../../apps/tpp/src/customer/customer-browser.js';
export { findForm, textOf } from '../../../apps/tpp/src/customer/html-page.js';
export { HttpsClient } from '../../../apps/tpp/src/https-client.js';
export {
  type AuthorizationRequest,
  createAuthorizationRequest,
} from '../../../apps/tpp/src/oauth/authorization-request.js';
export { verifyAuthorizationResponse } from '../../../apps/tpp/src/oauth/authorization-response.js';
export type { ProviderMetadata } from '../../../apps/tpp/src/oauth/provider.js';
export { register, registrationClaims } from '../../../apps/tpp/src/oauth/register.js';
export { requestToken } from '../../../apps/tpp/src/oauth/request-token.js';
export { signJwt } from '../../../apps/tpp/src/oauth/sign-jwt.js';
export type { SandboxCustomer, SandboxTpp } from '../../../apps/tpp/src/sandbox-description.js';
export { loadTppCredentials, type TppCredentials } from '../../../apps/tpp/src/tpp-credentials.js';
