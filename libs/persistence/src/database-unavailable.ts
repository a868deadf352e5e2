import { types } from 'node:util';
import { ConfigError } from '#libs/config';

/**
 * Classes of PostgreSQL 08 (connection), 53 (resources) and 57P (shut-down), a server that is read-only, and the
 * network's.
 */
const unavailableCode = /^(?:08|53|57P|25006$|ECONN|EPIPE$|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN)/;
/**
 * PostgreSQL ended the statement: a lock was not available in time (55P03), it took too long (57014), two waited for
 * each other (40P01), or it met another transaction (40001).
 */
const interruptedCode = /^(?:55P03|57014|40P01|40001)$/;
/** Errors of the driver and its pool without a code, and of Citus about an unavailable node. */
const unavailableMessage = new RegExp(
  [
    '^timeout exceeded when trying to connect',
    '^Connection terminated',
    'connection error and is not queryable',
    '^failure on connection marked as essential',
    '^failed to COPY to shard \\d+ on ',
  ].join('|'),
);

/**
 * @param error as the driver, its pool or TypeORM threw it; errors of other connections come wrapped in their own
 * classes
 * @returns whether the database is unavailable. The statement may have been committed or not; a repeated request needs
 * the same idempotency key.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  // Fastify's error when the caller's own connection breaks while the body is read.
  if (typeof Reflect.get(error, 'statusCode') === 'number') return false;
  if (isStatementInterrupted(error)) return true;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && unavailableCode.test(code)) return true;
  return unavailableMessage.test(error.message) || isDatabaseUnavailable(Reflect.get(error, 'driverError'));
}

/**
 * @param error as the driver or TypeORM threw it
 * @returns whether PostgreSQL ended the statement because a lock or the statement took too long. It had no effect, the
 * connection is intact, and the statement may be repeated.
 */
export function isStatementInterrupted(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  return (
    (typeof code === 'string' && interruptedCode.test(code)) ||
    isStatementInterrupted(Reflect.get(error, 'driverError'))
  );
}

/** @returns whether a lock was not available in time: others hold the row, and the statement had no effect */
export function isRowLocked(error: unknown): boolean {
  return types.isNativeError(error) && Reflect.get(error, 'code') === '55P03';
}

/** @returns advice for the user of a command, in one line; undefined for any other error */
export function explainDatabaseFailure(error: unknown): string | undefined {
  if (isStatementInterrupted(error)) {
    return (
      'The database did not finish in time: look in pg_stat_activity for the session that holds a lock, and try ' +
      'again.'
    );
  }
  const { code, message } = faultOf(error);
  if (code === '25006') return 'The database takes no writes: its server is read-only, as a standby is.';
  if (tlsFault.test(code) || /\bSSL\b/.test(message)) {
    return `TLS with the database fails: ${message}. Compare DATABASE_URL and its CA with the server's certificate.`;
  }
  if (/^(?:28|3D000$|42501$|53|57P)/.test(code)) return `The database refuses: ${message}.`;
  if (!isDatabaseUnavailable(error)) return undefined;
  return 'The database does not answer: is DATABASE_URL correct, and is the database running?';
}

/** @returns what to say to the user of a command on the database; undefined for an unexpected error */
export function explainJobFailure(error: unknown): string | undefined {
  if (error instanceof ConfigError) return `${error.message}\nWith a sandbox: --env-file .sandbox/service.env`;
  return explainDatabaseFailure(error);
}

/** Codes of Node.js and OpenSSL for a certificate or handshake that is refused. */
const tlsFault = /^(?:ERR_(?:TLS|SSL)_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_SELF|SELF_SIGNED|HOSTNAME_MISMATCH)/;

/** Its own, or that of the driver's error in it. */
function faultOf(error: unknown): { code: string; message: string } {
  if (!types.isNativeError(error)) return { code: '', message: '' };
  const { code, driverError } = error as { code?: unknown; driverError?: unknown };
  if (typeof code !== 'string' && driverError !== undefined) return faultOf(driverError);
  return { code: String(code ?? ''), message: error.message.replace(/\.$/, '') };
}
