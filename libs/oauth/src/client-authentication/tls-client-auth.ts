import { InvalidClientError } from '../errors/protocol-errors.js';
import type { OAuthClient } from '../oauth-client.js';
import type { ClientCredentialsPresented } from '../token-request/client-credentials-presented.js';
import { assertRegisteredMethod } from './assert-registered-method.js';

/**
 * tls_client_auth (RFC 8705 s2.1): the certificate of the connection has the registered subject. `isCertificateSubject`
 * compares a registered name (RFC 4514 text) with the subject of the certificate, whose chain and dates were verified
 * before; undefined means that there is no verified certificate. The name comes from the client's record alone. Throws
 * InvalidClientError.
 */
export function verifyTlsClientAuth(options: {
  client: OAuthClient;
  credentials: Extract<ClientCredentialsPresented, { mechanism: 'none' }>;
  isCertificateSubject: ((registeredName: string) => boolean) | undefined;
}): void {
  const { client, credentials, isCertificateSubject } = options;
  assertRegisteredMethod(client, ['tls_client_auth']);
  if (credentials.clientId !== client.clientId)
    throw new InvalidClientError({
      reason: 'client-unknown',
      detail: 'client_id differs from the client of the certificate',
    });
  if (isCertificateSubject === undefined)
    throw new InvalidClientError({ reason: 'certificate-missing', detail: 'no client certificate' });
  const { tlsClientAuthSubjectDn } = client;
  if (tlsClientAuthSubjectDn === undefined)
    throw new InvalidClientError({ reason: 'client-incomplete', detail: 'client has no registered subject' });
  if (!isCertificateSubject(tlsClientAuthSubjectDn))
    throw new InvalidClientError({ reason: 'certificate-subject', detail: 'the certificate has a different subject' });
}
