import type { FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createHttpsServer, type HttpsServer } from '../create-https-server.js';
import type { Credential } from '../trust/trust-framework.js';
import { requestApprovals } from './approval-requests.js';
import type { BankAnswer } from './bank-answer.js';
import { findPaymentAccounts } from './payment-accounts.js';
import { reserveBatch } from './payment-batches.js';
import { findPayment, handOverPayment } from './payments.js';
import { verifyOneTimeCode, verifyPassword } from './psu-authentication.js';
import * as schemas from './request-schemas.js';

interface IdempotentHeaders {
  'idempotency-key': string;
}

/**
 * The sandbox's stand-in for the bank behind the service, with the API of deploy/bank-openapi.yaml over mutual TLS.
 * @param options.clientCertificate PEM of the one certificate that is let in
 * @param options.pool the bank's own database
 */
export function createBankServer(options: {
  pool: Pool;
  credential: Credential;
  clientCertificate: string;
  log: Logger;
  /** whether the payments of a file are to be rejected, on somebody's request */
  isRefused?: (filePaymentId: string) => Promise<boolean>;
}): HttpsServer {
  const { pool, credential, clientCertificate, log, isRefused = async () => false } = options;
  const server = createHttpsServer({ name: 'sandbox-bank', credential, clientAuthority: clientCertificate, log });
  const { interactionHeaders: headers, idempotentHeaders } = schemas;

  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-fapi-interaction-id', request.headers['x-fapi-interaction-id'] ?? '');
  });

  server.post<{ Body: schemas.PasswordRequest }>(
    '/psu-authentication/password',
    { schema: { headers, body: schemas.passwordRequest } },
    async (request, reply) => send(reply, await verifyPassword(pool, request.body, new Date())),
  );
  server.post<{ Body: schemas.OneTimeCodeRequest }>(
    '/psu-authentication/one-time-code',
    { schema: { headers, body: schemas.oneTimeCodeRequest } },
    async (request, reply) => send(reply, await verifyOneTimeCode(pool, request.body, new Date())),
  );
  server.get<{ Params: { psuId: string } }>(
    '/psus/:psuId/payment-accounts',
    { schema: { headers } },
    async (request, reply) => send(reply, await findPaymentAccounts(pool, request.params.psuId)),
  );
  server.post<{ Body: schemas.PaymentBatchRequest; Headers: IdempotentHeaders }>(
    '/payment-batches',
    { schema: { headers: idempotentHeaders, body: schemas.paymentBatchRequest } },
    async (request, reply) => send(reply, await reserveBatch(pool, request.headers['idempotency-key'], request.body)),
  );
  server.post<{ Body: schemas.PaymentRequest; Headers: IdempotentHeaders }>(
    '/payments',
    { schema: { headers: idempotentHeaders, body: schemas.paymentRequest } },
    async ({ headers: sent, body }, reply) => {
      const fate = { now: new Date(), isRefused: await isRefused(body.filePaymentId) };
      return send(reply, await handOverPayment(pool, sent['idempotency-key'], body, fate));
    },
  );
  server.get<{ Params: { paymentId: string } }>(
    '/payments/:paymentId',
    { schema: { headers } },
    async (request, reply) => send(reply, await findPayment(pool, request.params.paymentId, new Date())),
  );
  server.post<{ Body: schemas.ApprovalRequest; Headers: IdempotentHeaders }>(
    '/approval-requests',
    { schema: { headers: idempotentHeaders, body: schemas.approvalRequest } },
    async ({ headers: sent, body }, reply) => {
      const answer = await requestApprovals(pool, sent['idempotency-key'], body, new Date());
      return answer === undefined ? reply.code(204).send() : send(reply, answer);
    },
  );
  return server;
}

function send(reply: FastifyReply, { status, body }: BankAnswer): FastifyReply {
  return reply.code(status).send(body);
}
