import { types } from 'node:util';

/** Classes of PostgreSQL 08 (connection), 53 (resources) and 57P (shut-down), a server that is read-only, and the network's. */
const unavailableCode = /^(?:08|53|57P|25006$|ECONN|EPIPE$|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN)/;
/** What the driver and its pool throw without a code. */
const unavailableMessage =
  /^timeout exceeded when trying to connect|^Connection terminated|connection error and is not queryable|takes (?:no )?writes$/;

/**
 * @param error as the driver, its pool or TypeORM threw it; errors of other connections come wrapped in their own classes
 * @returns whether the database could not be had at this moment. What was under way may have been committed or not: who
 *   repeats the request must do so under the same idempotency key.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  // What Fastify says of the caller's own connection: it broke off while the body was read.
  if (typeof Reflect.get(error, 'statusCode') === 'number') return false;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && unavailableCode.test(code)) return true;
  return unavailableMessage.test(error.message) || isDatabaseUnavailable(Reflect.get(error, 'driverError'));
}
