import { Injectable } from '@nestjs/common';
import { accessConsentOf, isStillGood } from '#libs/access-consent';
import { Clock } from '#libs/config';
import { AccessTokenLookup, type ActiveAccessToken } from '#libs/guards';
import { hashToken } from '#libs/oauth';
import { Batch, Database, membersOf, rowByKey, type RowOf } from '#libs/persistence';
import { isGrantRegistered, stillRegistered } from './still-registered.js';

type Stored = Omit<ActiveAccessToken, 'scope' | 'signingAlgorithms'>;
type ActiveAccessTokenRow = RowOf<Stored> & {
  token_hash: Buffer;
  scope: string;
  registered_scope: string;
  request_object_signing_alg: string;
};

// Reads `clients` as well: every API request needs both, and a token is valid only while its client is Active and keeps
// its grant, and its access consent is valid.
const findSql = `
  SELECT token.token_hash, token.client_id, token.grant_type, token.scope, client.scope AS registered_scope,
    token.certificate_thumbprint, token.consent_id, token.psu_id, token.expires_at, client.org_id, client.software_id,
    client.jwks_uri, client.jwks_revoked_uri, client.request_object_signing_alg, client.organisation_identifier
  FROM unnest($1::bytea[]) AS asked (token_hash)
  CROSS JOIN ${rowByKey('access_tokens', 'token_hash = asked.token_hash')} AS token
  CROSS JOIN ${rowByKey('clients', 'client_id = token.client_id')} AS client
  LEFT JOIN ${accessConsentOf('token.consent_id')} AS access ON true
  WHERE token.revoked_at IS NULL AND token.expires_at > $2 AND client.status = 'Active'
    AND ${isGrantRegistered('token', 'client')}
    AND (access.consent_id IS NULL OR ${isStillGood('access', { now: '$2', since: 'token.issued_at' })})`;

/** The bearer guard's lookup of tokens: not cached, so a revocation takes effect immediately. */
@Injectable()
export class StoredAccessTokenLookup extends AccessTokenLookup {
  readonly #lookups = new Batch<Buffer, ActiveAccessToken | undefined>(
    (tokenHashes) => this.#findTogether(tokenHashes),
    {
      maxSize: 100,
      keyOf: () => this.database.inBatchesOf((tokenHash) => tokenHash.toString('latin1')),
    },
  );

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  /**
   * @param token from the Authorization header
   * @returns the token and its client; undefined if it is unknown, expired or revoked, or its client is not Active or
   * has given up its grant. The caller verifies that it is bound to the client certificate (RFC 8705 s3).
   */
  async find(token: string): Promise<ActiveAccessToken | undefined> {
    return this.#lookups.add(hashToken(token));
  }

  /** Look-ups of one turn share a statement, sent after all of them have arrived, so no result is stale. */
  async #findTogether(tokenHashes: readonly Buffer[]): Promise<(ActiveAccessToken | undefined)[]> {
    const now = this.clock.now();
    const keys = tokenHashes.map((tokenHash) => tokenHash.toString('latin1'));
    // A client uses one token for many simultaneous requests.
    const distinct = new Map(tokenHashes.map((tokenHash, index) => [keys[index], tokenHash]));
    const { rows } = await this.database.query<ActiveAccessTokenRow>('find-active-access-tokens', findSql, [
      [...distinct.values()],
      now,
    ]);
    const tokens = new Map(rows.map((row) => [row.token_hash.toString('latin1'), toActiveAccessToken(row)]));
    return keys.map((key) => tokens.get(key));
  }
}

function toActiveAccessToken({
  token_hash: _hash,
  scope,
  registered_scope,
  request_object_signing_alg: algorithm,
  ...row
}: ActiveAccessTokenRow): ActiveAccessToken {
  return {
    ...membersOf<Stored>(row),
    scope: stillRegistered({ scope, registered_scope }),
    // A client registers elliptic curve keys through its signing algorithm of request objects.
    signingAlgorithms: algorithm === 'ES256' ? ['PS256', 'ES256'] : ['PS256'],
  };
}
