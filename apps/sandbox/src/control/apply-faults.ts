import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { HttpsServer } from '../create-https-server.js';
import type { Faults } from './faults.js';

/** Longer than the service waits for a directory. */
const slowMilliseconds = 15_000;

/**
 * Loses the answer to a POST that was carried out: 504 instead, as from a gateway that timed out.
 * @param fastify of the api app, not listening yet
 */
export function loseAnswers(fastify: FastifyInstance, faults: Faults): void {
  fastify.addHook('onSend', async (request, reply, payload) => {
    const softwareId = request.accessToken?.softwareId;
    const isDone = request.method === 'POST' && reply.statusCode < 300;
    if (!isDone || softwareId === undefined || !faults.take(softwareId, 'gateway-timeout')) return payload;
    void reply.code(504).removeHeader('x-jws-signature').removeHeader('content-type').removeHeader('location');
    return '';
  });
}

/** Makes the directory answer requests for the keys or statement of a TPP late, or not at all. */
export function disturbDirectory(server: HttpsServer, faults: Faults): void {
  server.addHook('onRequest', async (request, reply) => {
    const [, softwareId = ''] =
      /^\/[0-9A-Za-z]+\/([0-9A-Za-z]+)(?:\.jwks|\/software-statement)/.exec(request.url) ?? [];
    if (softwareId === '') return;
    if (faults.take(softwareId, 'directory-slow')) await sleep(slowMilliseconds, undefined, { ref: false });
    if (faults.take(softwareId, 'directory-dead')) {
      reply.hijack();
      request.raw.socket.destroy();
    }
  });
}

/**
 * @param pool of the service's own database, to find the TPP of a file
 * @returns a function that says whether the bank rejects the payments of a file
 */
export function rejectPayments(pool: Pool, faults: Faults): (filePaymentId: string) => Promise<boolean> {
  return async (filePaymentId) => {
    if (!faults.has('reject-payments')) return false;
    const { rows } = await pool.query<{ software_id: string }>(
      `SELECT client.software_id FROM payment_orders JOIN clients AS client USING (client_id)
       WHERE payment_order_id::text = $1`,
      [filePaymentId],
    );
    return rows[0] !== undefined && faults.take(rows[0].software_id, 'reject-payments');
  };
}
