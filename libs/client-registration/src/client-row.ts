import type { OAuthClient } from '#libs/oauth';
import { membersOf, type RowOf } from '#libs/persistence';
import type { ClientMetadata } from './client-metadata.js';

/** A registered client as the protocol sees it, and the directory that its certificates must come from. */
export interface RegisteredClient extends OAuthClient {
  /** `iss` of its software statement */
  directoryIssuer: string;
}

/** A registration as returned to the client. */
export interface ClientRegistration {
  clientId: string;
  clientIdIssuedAt: Date;
  orgId: string;
  softwareId: string;
  organisationIdentifier?: string;
  jwksUri: string;
  metadata: ClientMetadata;
}

export type ClientRow = RowOf<Omit<RegisteredClient, 'scope'>> & { scope: string };

/** A row with what only registration management needs. */
export type RegistrationRow = RowOf<
  Omit<ClientRegistration, 'metadata'> & Omit<ClientMetadata, 'request'> & { metadata: ClientMetadata['request'] }
>;

export function toRegisteredClient(row: ClientRow): RegisteredClient {
  const scope = row.scope.split(' ').filter((word) => word !== '');
  return { ...membersOf<Omit<RegisteredClient, 'scope'>>(row), scope };
}

export function toClientRegistration(row: RegistrationRow): ClientRegistration {
  const { client_id, client_id_issued_at, org_id, software_id, organisation_identifier, jwks_uri, ...others } = row;
  const { metadata: request, ...agreed } = others;
  const registration = { client_id, client_id_issued_at, org_id, software_id, organisation_identifier, jwks_uri };
  return {
    ...membersOf<Omit<ClientRegistration, 'metadata'>>(registration),
    metadata: { ...membersOf<Omit<ClientMetadata, 'request'>>(agreed), request },
  };
}
