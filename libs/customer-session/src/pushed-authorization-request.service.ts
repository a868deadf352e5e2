import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence';
import type { OneAnswer } from './authorization-session.js';

/** 'AssertionReplayed': the client did not authenticate, and nothing was stored. */
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
  SELECT request, expires_at FROM pushed_authorization_requests WHERE request_uri_hash = $1 AND client_id = $2
    AND expires_at > $3`;

const useUpSql = `
  INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
  SELECT 'request-object', $1::uuid::text, unnest($2::text[]), $3::timestamptz ON CONFLICT DO NOTHING`;

/**
 * Authorization requests that wait until the customer's browser brings their reference (RFC 9126). Each gets one
 * answer.
 */
@Injectable()
export class PushedAuthorizationRequestService {
  constructor(private readonly database: Database) {}

  /**
   * Stores a verified request.
   * @param push `assertion`: only with the two JWT authentication methods
   */
  async push(push: {
    /** the hash of the request_uri (`hashToken`) */
    requestUriHash: Buffer;
    clientId: string;
    /** a request object, or parameters, as formatPushedRequest writes them */
    request: string;
    expiresAt: Date;
    assertion?: { jti: string; expiresAt: Date };
  }): Promise<PushOutcome> {
    const { requestUriHash, clientId, request, expiresAt, assertion } = push;
    const { rowCount } = await this.database.query('push-authorization-request', pushSql, [
      requestUriHash,
      clientId,
      request,
      expiresAt,
      assertion?.jti ?? null,
      assertion?.expiresAt ?? null,
    ]);
    return rowCount === 1 ? 'Pushed' : 'AssertionReplayed';
  }

  /** @returns the request as it was stored; undefined for a reference that is unknown, expired or of another client */
  async find(options: {
    requestUriHash: Buffer;
    clientId: string;
    now: Date;
  }): Promise<{ request: string; expiresAt: Date } | undefined> {
    const { requestUriHash, clientId, now } = options;
    const { rows } = await this.database.query<{ request: string; expires_at: Date }>(
      'find-pushed-authorization-request',
      findSql,
      [requestUriHash, clientId, now],
    );
    return rows[0] && { request: rows[0].request, expiresAt: rows[0].expires_at };
  }

  /**
   * A refusal to the client uses the request up, as its one answer.
   * @returns false if it was answered before, or a customer has signed in for it
   */
  async useUp({ clientId, ids, until }: OneAnswer & { clientId: string }): Promise<boolean> {
    const parameters = [clientId, ids, until];
    const { rowCount } = await this.database.query('use-up-pushed-authorization-request', useUpSql, parameters);
    return rowCount === ids.length;
  }
}
