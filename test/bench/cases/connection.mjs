import { createSecureContext } from 'node:tls';
import { prepareReads } from './read-file-payment.mjs';

/** A new mutual TLS connection, by each group of the key exchange, and the status of a file payment. */
export const connection = ['X25519', 'X25519MLKEM768'].map((group) => ({
  name: group === 'X25519' ? 'connection' : `connection, ${group}`,
  check: 'read',
  requests: { quick: 100, full: 400 },
  rounds: { quick: 2, full: 11 },
  group,
  isOffered: isOffered(group),
  prepare: async (bench) => {
    const { servers, verify } = await prepareReads(bench, `connection_${group.toLowerCase()}`);
    return { servers: servers.filter(({ name }) => ['ours', 'floor'].includes(name)), verify };
  },
}));

function isOffered(group) {
  try {
    createSecureContext({ ecdhCurve: group });
    return true;
  } catch {
    return false; // Node's OpenSSL is older.
  }
}
