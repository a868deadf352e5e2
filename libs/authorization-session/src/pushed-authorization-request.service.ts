import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence';

/** 'AssertionReplayed': the client did not authenticate, nothing was stored. */
export type PushOutcome = 'Pushed' | 'AssertionReplayed';

/**
 * $1 hash of the request_uri, $2 client, $3 request, $4 expires at, $5 jti or null, $6 its expiry. The same statement
 * redeems the assertion.
 */
const pushSql = `
  WITH assertion AS (
    INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
    SELECT 'client-assertion', $2::uuid::text, $5::text, $6::timestamptz WHERE $5::text IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING jti)
  INSERT INTO pushed_authorization_requests (request_uri_hash, client_id, request, expires_at)
  SELECT $1::bytea, $2::uuid, $3::text, $4::timestamptz WHERE $5::text IS NULL OR EXISTS (SELECT FROM assertion)`;

const findSql = `
  SELECT request FROM pushed_authorization_requests WHERE request_uri_hash = $1 AND client_id = $2 AND expires_at > $3`;

const useUpSql = `
  DELETE FROM pushed_authorization_requests WHERE request_uri_hash = $1 AND client_id = $2`;

/**
 * Authorization requests that wait until the customer's browser brings their reference (RFC 9126). Each starts one
 * session, or is refused once.
 */
@Injectable()
export class PushedAuthorizationRequestService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Stores a verified request.
   * @param push `assertion`: only with the two JWT authentication methods
   */
  async push(push: {
    /** SHA-256 of the request_uri */
    requestUriHash: Buffer;
    clientId: string;
    /** a request object, or parameters, as formatPushedRequest writes them */
    request: string;
    expiresAt: Date;
    assertion?: { jti: string; expiresAt: Date };
  }): Promise<PushOutcome> {
    const { requestUriHash, clientId, request, expiresAt, assertion } = push;
    const { rowCount } = await this.#database.query('push-authorization-request', pushSql, [
      requestUriHash,
      clientId,
      request,
      expiresAt,
      assertion?.jti ?? null,
      assertion?.expiresAt ?? null,
    ]);
    return rowCount === 1 ? 'Pushed' : 'AssertionReplayed';
  }

  /** @returns the request as it was stored; undefined for a reference that is unknown, used, expired or of another client */
  async find({
    requestUriHash,
    clientId,
    now,
  }: {
    requestUriHash: Buffer;
    clientId: string;
    now: Date;
  }): Promise<string | undefined> {
    const { rows } = await this.#database.query<{ request: string }>('find-pushed-authorization-request', findSql, [
      requestUriHash,
      clientId,
      now,
    ]);
    return rows[0]?.request;
  }

  /**
   * Its client gets a refusal: the reference is as good as unknown from then on.
   * @returns false if it was used up before
   */
  async useUp({ requestUriHash, clientId }: { requestUriHash: Buffer; clientId: string }): Promise<boolean> {
    const parameters = [requestUriHash, clientId];
    const { rowCount } = await this.#database.query('use-up-pushed-authorization-request', useUpSql, parameters);
    return (rowCount ?? 0) > 0;
  }
}
