import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ClientMetadata } from './client-metadata.js';

/** States of a client: registered, stopped by the bank, deleted. A deleted one stays, so that its id is never used again. */
export type ClientStatus = 'Active' | 'Suspended' | 'Deleted';

/** A registered client (RFC 7591 s2). */
@Entity('clients')
@Index('clients_software_id_idx', ['softwareId'])
@Check('clients_status_check', "status IN ('Active', 'Suspended', 'Deleted')")
export class ClientEntity {
  @PrimaryColumn('uuid', { name: 'client_id', primaryKeyConstraintName: 'clients_pkey' })
  clientId!: string;

  @Column('text')
  status!: ClientStatus;

  @Column('text', { name: 'org_id' })
  orgId!: string;

  @Column('text', { name: 'org_name' })
  orgName!: string;

  @Column('text', { name: 'software_id' })
  softwareId!: string;

  @Column('text', { name: 'client_name' })
  clientName!: string;

  @Column('text', { name: 'organisation_identifier', nullable: true })
  organisationIdentifier!: string | null;

  @Column('text', { name: 'redirect_uris', array: true })
  redirectUris!: string[];

  @Column('text', { name: 'grant_types', array: true })
  grantTypes!: string[];

  @Column('text', { name: 'response_types', array: true })
  responseTypes!: string[];

  /** as the TPP wrote it */
  @Column('text')
  scope!: string;

  @Column('text', { name: 'token_endpoint_auth_method' })
  tokenEndpointAuthMethod!: string;

  @Column('text', { name: 'token_endpoint_auth_signing_alg', nullable: true })
  tokenEndpointAuthSigningAlg!: string | null;

  @Column('text', { name: 'id_token_signed_response_alg' })
  idTokenSignedResponseAlg!: string;

  @Column('text', { name: 'request_object_signing_alg' })
  requestObjectSigningAlg!: string;

  @Column('text', { name: 'tls_client_auth_subject_dn', nullable: true })
  tlsClientAuthSubjectDn!: string | null;

  @Column('text', { name: 'jwks_uri' })
  jwksUri!: string;

  /** address of the keys that the directory has revoked, where its statement names one */
  @Column('text', { name: 'jwks_revoked_uri', nullable: true })
  jwksRevokedUri!: string | null;

  /** `iss` of the software statement; null: of the first directory */
  @Column('text', { name: 'directory_issuer', nullable: true })
  directoryIssuer!: string | null;

  /** empty for a client without a secret */
  @Column('bytea', { name: 'secret_hash' })
  secretHash!: Buffer;

  @Column('text', { name: 'secret_encrypted', nullable: true })
  secretEncrypted!: string | null;

  /** what of the request is told back, and nothing works with */
  @Column('jsonb')
  metadata!: ClientMetadata['request'];

  /** client assertions must name the issuer alone (RFC 10070) */
  @Column('boolean', { name: 'require_issuer_audience' })
  requireIssuerAudience!: boolean;

  @Column('timestamptz', { name: 'client_id_issued_at' })
  clientIdIssuedAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;
}
