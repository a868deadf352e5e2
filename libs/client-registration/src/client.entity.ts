import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('clients')
@Index('clients_software_id_idx', ['softwareId'])
@Check('clients_fapi_profile_check', `fapi_profile IN ('fapi1-advanced', 'fapi2-security', 'fapi2-message-signing')`)
@Check('clients_removed_by_check', `removed_by IN ('Client', 'Bank')`)
@Check('clients_status_check', `status IN ('Active', 'Suspended', 'Deleted')`)
export class ClientEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'clients_pkey' }) clientId!: string;
  @Column({ type: 'text' }) status!: string;
  @Column({ type: 'text' }) orgId!: string;
  @Column({ type: 'text' }) orgName!: string;
  @Column({ type: 'text' }) softwareId!: string;
  @Column({ type: 'text' }) clientName!: string;
  @Column({ type: 'text', nullable: true }) organisationIdentifier!: string | null;
  @Column({ type: 'text', nullable: true }) onBehalfOfOrg!: string | null;
  @Column({ type: 'text', array: true }) redirectUris!: string[];
  @Column({ type: 'text', array: true }) grantTypes!: string[];
  @Column({ type: 'text', array: true }) responseTypes!: string[];
  @Column({ type: 'text' }) scope!: string;
  @Column({ type: 'text' }) tokenEndpointAuthMethod!: string;
  @Column({ type: 'text', nullable: true }) tokenEndpointAuthSigningAlg!: string | null;
  @Column({ type: 'text' }) idTokenSignedResponseAlg!: string;
  @Column({ type: 'text' }) requestObjectSigningAlg!: string;
  @Column({ type: 'text', nullable: true }) tlsClientAuthSubjectDn!: string | null;
  @Column({ type: 'text' }) jwksUri!: string;
  @Column({ type: 'bytea' }) secretHash!: Buffer;
  @Column({ type: 'text', nullable: true }) secretEncrypted!: string | null;
  @Column({ type: 'jsonb' }) metadata!: unknown;
  @Column({ type: 'timestamptz' }) clientIdIssuedAt!: Date;
  @Column({ type: 'timestamptz' }) updatedAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) deletedAt!: Date | null;
  @Column({ type: 'boolean', default: false }) requireIssuerAudience!: boolean;
  @Column({ type: 'text' }) directoryIssuer!: string;
  @Column({ type: 'text', nullable: true }) jwksRevokedUri!: string | null;
  @Column({ type: 'text', nullable: true }) removedBy!: string | null;
  @Column({ type: 'text', nullable: true }) authorizationSignedResponseAlg!: string | null;
  @Column({ type: 'text', default: 'fapi1-advanced' }) fapiProfile!: string;
  @Column({ type: 'boolean', default: false }) requirePushedAuthorizationRequests!: boolean;
}
