import type { FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createHttpsServer, type HttpsServer } from '../create-https-server.js';
import type { Credential } from '../trust/trust-framework.js';
import { requestApprovals } from './approval-requests.js';
import type { BankAnswer } from './bank-answer.js';
import { passFence } from './fences.js';
import { challengeBinding, challengeVerification } from './challenge-schemas.js';
import type { ChallengeBinding, ChallengeVerificationRequest } from './challenge-schemas.js';
import { findChallenge, startChallenge, verifyChallenge } from './challenges.js';
import { checkFunds } from './funds-checks.js';
import { checkPayeeNames, findKnownPayees } from './payee-checks.js';
import { findPaymentAccounts } from './payment-accounts.js';
import { reserveBatch } from './payment-batches.js';
import { type PaymentRequest, paymentRequest } from './payment-request-schema.js';
import { findPayment, findPaymentsOfFile, handOverPayment } from './payments.js';
import { findPsuState } from './psu-state.js';
import { verifyOneTimeCode, verifyPassword } from './psu-authentication.js';
import * as schemas from './request-schemas.js';

interface IdempotentHeaders {
  'idempotency-key': string;
}

interface AttemptHeaders extends IdempotentHeaders {
  /** decimal digits */
  'x-hand-over-attempt': string;
}

/**
 * The sandbox's stand-in for the bank behind the service, with the API of deploy/bank-openapi.yaml over mutual TLS.
 * @param options.clientCertificate PEM of the one certificate that is admitted
 * @param options.pool the bank's own database
 */
// oxlint-disable-next-line max-lines-per-function -- a list of routes
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
  const { interactionHeaders: headers, idempotentHeaders, attemptHeaders } = schemas;

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
  server.post<{ Body: ChallengeBinding }>(
    '/psu-authentication/challenges',
    { schema: { headers, body: challengeBinding } },
    async (request, reply) => send(reply, await startChallenge(pool, request.body, new Date())),
  );
  server.get<{ Params: { challengeId: string } }>(
    '/psu-authentication/challenges/:challengeId',
    { schema: { headers } },
    async ({ params }, reply) => send(reply, await findChallenge(pool, params.challengeId, new Date())),
  );
  server.post<{ Params: { challengeId: string }; Body: ChallengeVerificationRequest }>(
    '/psu-authentication/challenges/:challengeId/verification',
    { schema: { headers, body: challengeVerification } },
    async ({ params, body }, reply) => send(reply, await verifyChallenge(pool, params.challengeId, body, new Date())),
  );
  server.get<{ Params: { psuId: string } }>(
    '/psus/:psuId/payment-accounts',
    { schema: { headers } },
    async (request, reply) => send(reply, await findPaymentAccounts(pool, request.params.psuId)),
  );
  server.get<{ Params: { psuId: string } }>('/psus/:psuId/state', { schema: { headers } }, async ({ params }, reply) =>
    send(reply, await findPsuState(pool, params.psuId)),
  );
  server.post<{ Body: schemas.FundsCheckRequest }>(
    '/funds-checks',
    { schema: { headers, body: schemas.fundsCheckRequest } },
    async ({ body }, reply) => send(reply, await checkFunds(pool, body)),
  );
  server.post<{ Body: schemas.PayeeNameChecksRequest }>(
    '/payee-name-checks',
    { schema: { headers, body: schemas.payeeNameChecksRequest } },
    ({ body }, reply) => send(reply, checkPayeeNames(body)),
  );
  server.post<{ Body: schemas.KnownPayeesRequest }>(
    '/known-payees',
    { schema: { headers, body: schemas.knownPayeesRequest } },
    async ({ body }, reply) => send(reply, await findKnownPayees(pool, body)),
  );
  server.post<{ Body: schemas.PaymentBatchRequest; Headers: AttemptHeaders }>(
    '/payment-batches',
    { schema: { headers: attemptHeaders, body: schemas.paymentBatchRequest } },
    async ({ headers: sent, body }, reply) =>
      send(reply, await reserveBatch(pool, sent['idempotency-key'], body, attemptOf(sent))),
  );
  server.post<{ Params: { filePaymentId: string }; Headers: AttemptHeaders }>(
    '/payment-batches/:filePaymentId/fence',
    { schema: { headers: attemptHeaders, params: schemas.filePaymentParameters } },
    async ({ headers: sent, params }, reply) => {
      await passFence(pool, params.filePaymentId, attemptOf(sent));
      return reply.code(204).send();
    },
  );
  server.get<{ Params: { filePaymentId: string } }>(
    '/payment-batches/:filePaymentId/payments',
    { schema: { headers } },
    async (request, reply) => send(reply, await findPaymentsOfFile(pool, request.params.filePaymentId, new Date())),
  );
  server.post<{ Body: PaymentRequest; Headers: AttemptHeaders }>(
    '/payments',
    { schema: { headers: attemptHeaders, body: paymentRequest } },
    async ({ headers: sent, body }, reply) => {
      const fate = { now: new Date(), isRefused: await isRefused(body.filePaymentId), attempt: attemptOf(sent) };
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
  server.post<{ Body: schemas.DeclineReport }>(
    '/decline-reports',
    { schema: { headers, body: schemas.declineReport } },
    async ({ body }, reply) => {
      await pool.query('INSERT INTO decline_reports (report, reported_at) VALUES ($1, $2)', [body, new Date()]);
      return reply.code(204).send();
    },
  );
  return server;
}

function attemptOf({ 'x-hand-over-attempt': attempt }: AttemptHeaders): number {
  return Number(attempt);
}

function send(reply: FastifyReply, { status, body }: BankAnswer): FastifyReply {
  return reply.code(status).send(body);
}
