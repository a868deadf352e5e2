import { Agent, type AgentOptions } from 'node:https';
import { createSecureContext } from 'node:tls';

/** Below the time after which firewalls and load balancers usually forget an idle connection: a minute and more. */
const idleMilliseconds = 30_000;

/** Connections to a server of others: kept for repeated use, but not for long while they are idle. */
export function createOutgoingAgent({ ca, cert, key, ...options }: AgentOptions): Agent {
  // @cryptography TLS 1.2 or 1.3 | none | every connection to a server of others: the least version, always verified
  const tls = { minVersion: 'TLSv1.2', rejectUnauthorized: true } as const;
  // Node would read the certificates again for each connection, and compare their texts with each request.
  const { minVersion } = tls;
  const own = ca || cert ? { secureContext: createSecureContext({ ca, cert, key, minVersion }) } : {};
  return new Agent({ keepAlive: true, timeout: idleMilliseconds, ...options, ...own, ...tls });
}
