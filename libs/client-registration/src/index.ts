export { ClientAdministration } from './administration/client-administration.service.js';
export type { AdministeredClient, ClientFilter } from './administration/client-administration.service.js';
export { clientRules } from './administration/client-rules.js';
export type { ClientRule } from './administration/client-rules.js';
export { SecretReEncryption } from './administration/secret-re-encryption.service.js';
export type { ReEncryption } from './administration/secret-re-encryption.service.js';
export type { ClientStatus } from './client-status.js';
export type { ClientMetadata } from './client-metadata.js';
export { ClientRegistrationModule } from './client-registration.module.js';
export { toClientRegistrationResponse } from './client-registration-response.js';
export { ClientRegistrationService } from './client-registration.service.js';
export type { RegistrationOutcome } from './client-registration.service.js';
export type { ClientRegistration, RegisteredClient } from './client-row.js';
export type { RegistrationContext } from './metadata-rules/registration-context.js';
export type { RegisteringSoftware } from './registering-software.js';
export { RegistrationError } from './registration.errors.js';
export type { RegistrationErrorCode, RegistrationFault } from './registration.errors.js';
export { parseRegistrationRequest } from './request/parse-registration-request.js';
export type { ParsedRegistrationRequest } from './request/parse-registration-request.js';
export type { RegistrationClaims } from './request/registration-claims.js';
export { verifyRegistrationSignature } from './request/verify-registration-signature.js';
export {
  applicationTypes,
  asymmetricAlgorithms,
  grantTypes,
  responseTypes,
  scopes,
  tokenEndpointAuthMethods,
  tokenEndpointAuthSigningAlgs,
} from './supported-metadata.js';
export { verifyRegistrationRequest } from './verify-registration-request.js';
export { profileSettings, registrationSettings } from './client-registration.settings.js';
