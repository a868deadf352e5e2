import { Injectable, Logger } from '@nestjs/common';
import {
  accessConsentOf,
  accessKindOf,
  isStillGood,
  noteAccessUse,
  type AccessAccount,
  type AccessTerms,
} from '#libs/access-consent';
import { Database, membersOf, rowByKey, type RowOf } from '#libs/persistence';
import { isGrantRegistered, stillRegistered } from './still-registered.js';

/** A valid access token, as the bank's own resource servers see it (RFC 7662 s2.2). */
export interface IntrospectedToken {
  clientId: string;
  scope: string;
  /** the bank's own id of the customer; undefined for a client's own token */
  psuId?: string;
  /** the intent that the customer approved */
  consentId?: string;
  /** its access consent, if its scope is for that, and the API version in which that was created */
  access?: {
    readonly kind: string;
    readonly apiVersion: string;
    readonly terms: AccessTerms;
    readonly accounts: readonly AccessAccount[];
    readonly lastUsedAt?: Date;
  };
  certificateThumbprint: string;
  issuedAt: Date;
  expiresAt: Date;
}

type Stored = Omit<IntrospectedToken, 'scope' | 'access'>;
type IntrospectedTokenRow = RowOf<Stored & Partial<NonNullable<IntrospectedToken['access']>>> & {
  scope: string;
  registered_scope: string;
};

// Reads clients and consents as well: a token is valid only while its client and consent are.
const introspectSql = `
  SELECT token.client_id, token.scope, client.scope AS registered_scope, token.psu_id, token.consent_id,
    token.certificate_thumbprint, token.issued_at, token.expires_at, access.kind, access.api_version, access.terms,
    access.accounts, access.last_used_at
  FROM ${rowByKey('access_tokens', 'token_hash = $1')} AS token
  CROSS JOIN ${rowByKey('clients', 'client_id = token.client_id')} AS client
  LEFT JOIN ${rowByKey('payment_consents', 'consent_id = token.consent_id')} AS consent ON true
  LEFT JOIN ${accessConsentOf('token.consent_id')} AS access ON true
  WHERE token.revoked_at IS NULL AND token.expires_at > $2 AND client.status = 'Active'
    AND ${isGrantRegistered('token', 'client')}
    AND (token.consent_id IS NULL OR consent.status IN ('Authorised', 'Consumed')
      OR ${isStillGood('access', { now: '$2', since: 'token.issued_at' })})`;

/** The current state of access tokens; not cached, so a revocation takes effect immediately. */
@Injectable()
export class TokenIntrospection {
  readonly #logger = new Logger('TokenIntrospection');

  constructor(private readonly database: Database) {}

  /**
   * @param tokenHash the hash of the token (`hashToken`)
   * @returns undefined for a token that is unknown, expired or revoked, whose client or consent has ended, or whose
   * client has given up its grant or all of its scope; refresh tokens are unknown here
   */
  async findActiveToken(tokenHash: Buffer, now: Date): Promise<IntrospectedToken | undefined> {
    const { rows } = await this.database.query<IntrospectedTokenRow>('introspect-token', introspectSql, [
      tokenHash,
      now,
    ]);
    const [row] = rows;
    const scope = row === undefined ? [] : stillRegistered(row);
    return row === undefined || scope.length === 0 ? undefined : toIntrospectedToken(row, scope);
  }

  /**
   * The bank has asked about a token of an access: records that, for the customer to see. Never rejects, because an
   * answer must not depend on it; the next use of the day is recorded instead.
   */
  async noteUse({ consentId, access }: IntrospectedToken, now: Date): Promise<void> {
    if (consentId === undefined || access === undefined) return;
    try {
      await noteAccessUse(this.database, { consentId, lastUsedAt: access.lastUsedAt, now });
    } catch (error) {
      this.#logger.error({ message: 'The use of an access could not be recorded.', consentId, error });
    }
  }
}

/** A token that was refreshed with less scope, or whose client gave up the scope, no longer grants the access. */
function toIntrospectedToken(row: IntrospectedTokenRow, scope: readonly string[]): IntrospectedToken {
  const { kind, api_version: apiVersion, terms, accounts, last_used_at: lastUsedAt, ...rest } = row;
  const { scope: _all, registered_scope: _registered, ...stored } = rest;
  const token = { ...membersOf<Stored>(stored), scope: scope.join(' ') };
  if (kind === null || apiVersion === null || terms === null || accessKindOf(scope)?.name !== kind) return token;
  const used = lastUsedAt === null ? {} : { lastUsedAt };
  return { ...token, access: { kind, apiVersion, terms, accounts: accounts ?? [], ...used } };
}
