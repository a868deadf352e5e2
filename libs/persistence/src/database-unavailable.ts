import { types } from 'node:util';

/** Classes of PostgreSQL 08 (connection), 53 (resources) and 57P (shut-down), a server that is read-only, and the network's. */
const unavailableCode = /^(?:08|53|57P|25006$|ECONN|EPIPE$|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN)/;
/** PostgreSQL ended the statement: a lock was not to be had in time (55P03), it took too long (57014), or two waited for each other (40P01). */
const interruptedCode = /^(?:55P03|57014|40P01)$/;
/** What the driver and its pool throw without a code, and Citus of a node that is away. */
const unavailableMessage =
  /^timeout exceeded when trying to connect|^Connection terminated|connection error and is not queryable|^failure on connection marked as essential/;

/**
 * @param error as the driver, its pool or TypeORM threw it; errors of other connections come wrapped in their own classes
 * @returns whether the database could not be had at this moment. What was under way may have been committed or not: who
 *   repeats the request must do so under the same idempotency key.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  // What Fastify says of the caller's own connection: it broke off while the body was read.
  if (typeof Reflect.get(error, 'statusCode') === 'number') return false;
  if (isStatementInterrupted(error)) return true;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && unavailableCode.test(code)) return true;
  return unavailableMessage.test(error.message) || isDatabaseUnavailable(Reflect.get(error, 'driverError'));
}

/**
 * @param error as the driver or TypeORM threw it
 * @returns whether PostgreSQL has ended the statement because a table or a row is locked for too long, or it took too long. Nothing of it
 *   was done, the connection is good, and it may be tried again.
 */
export function isStatementInterrupted(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  return (
    (typeof code === 'string' && interruptedCode.test(code)) ||
    isStatementInterrupted(Reflect.get(error, 'driverError'))
  );
}

/** @returns what a person at a command line can do about it, in one line; undefined for any other error */
export function explainDatabaseFailure(error: unknown): string | undefined {
  if (isStatementInterrupted(error)) {
    return 'The database could not do it in time: look in pg_stat_activity for what keeps a lock, and try again.';
  }
  if (isDatabaseUnavailable(error)) return 'The database does not answer: is DATABASE_URL right, and is it running?';
  return undefined;
}
