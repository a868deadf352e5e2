import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BankPayment } from '#libs/bank';
import { createHttpsServer, type HttpsServer } from '../create-https-server.js';
import type { Credential } from '../trust/trust-framework.js';
import { requestApprovals } from './approval-requests.js';
import type { BankAnswer } from './bank-answer.js';
import { findChallenge, startChallenge, verifyChallenge } from './challenges.js';
import { passFence, reserveBatch } from './payment-batches.js';
import { checkFunds, findPaymentAccounts } from './payment-accounts.js';
import { readOperations } from './operations.js';
import { checkPayeeNames, findKnownPayees } from './payee-checks.js';
import { findPayment, findPaymentsOfFile, handOverPayment } from './payments.js';
import { findPsuState } from './psu-state.js';
import { verifyOneTimeCode, verifyPassword } from './psu-authentication.js';

/** A request that has the form of its operation, whose members are those that the document demands. */
interface Asked {
  readonly body: never;
  readonly params: Readonly<Record<'psuId' | 'challengeId' | 'filePaymentId' | 'paymentId', string>>;
  readonly headers: { readonly 'idempotency-key': string; readonly 'x-hand-over-attempt': number };
}

type Answer = BankAnswer | undefined | Promise<BankAnswer | undefined>;

/**
 * The sandbox's stand-in for the bank behind the service, with the API of deploy/bank-openapi.yaml over mutual TLS.
 * Routes and the schemas of their requests come from that document.
 * @param options.clientCertificate PEM of the one certificate that is admitted
 * @param options.pool the bank's own database
 */
// oxlint-disable-next-line max-lines-per-function -- a list of operations
export function createBankServer(options: {
  pool: Pool;
  credential: Credential;
  clientCertificate: string;
  log: Logger;
  /** whether somebody has asked for the payments of a file to be rejected */
  isRefused?: (filePaymentId: string) => Promise<boolean>;
}): HttpsServer {
  const { pool, credential, clientCertificate, log, isRefused = async () => false } = options;
  const server = createHttpsServer({ name: 'sandbox-bank', credential, clientAuthority: clientCertificate, log });
  const operations = readOperations();

  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-fapi-interaction-id', request.headers['x-fapi-interaction-id'] ?? '');
  });

  /** @param answer undefined: done, without a body */
  const serve = (operationId: string, answer: (request: Asked, now: Date) => Answer): void => {
    const operation = operations.get(operationId);
    if (operation === undefined) throw new TypeError(`deploy/bank-openapi.yaml has no operation ${operationId}.`);
    server.route({
      ...operation,
      handler: async (request, reply) => {
        const answered = await answer(request as unknown as Asked, new Date());
        const { status, body } = answered ?? { status: 204, body: undefined };
        return reply.code(status).send(body);
      },
    });
  };

  serve('verifyPassword', ({ body }, now) => verifyPassword(pool, body, now));
  serve('verifyOneTimeCode', ({ body }, now) => verifyOneTimeCode(pool, body, now));
  serve('startChallenge', ({ body }, now) => startChallenge(pool, body, now));
  serve('findChallenge', ({ params }, now) => findChallenge(pool, params.challengeId, now));
  serve('verifyChallenge', ({ params, body }, now) => verifyChallenge(pool, params.challengeId, body, now));
  serve('findPaymentAccounts', ({ params }) => findPaymentAccounts(pool, params.psuId));
  serve('findPsuState', ({ params }) => findPsuState(pool, params.psuId));
  serve('checkFunds', ({ body }) => checkFunds(pool, body));
  serve('checkPayeeNames', ({ body }) => checkPayeeNames(body));
  serve('findKnownPayees', ({ body }) => findKnownPayees(pool, body));
  serve('reserveBatch', ({ headers, body }) =>
    reserveBatch(pool, headers['idempotency-key'], body, headers['x-hand-over-attempt']),
  );
  serve('fenceBatch', async ({ headers, params }) => {
    await passFence(pool, params.filePaymentId, headers['x-hand-over-attempt']);
    return undefined;
  });
  serve('findPaymentsOfFile', ({ params }, now) => findPaymentsOfFile(pool, params.filePaymentId, now));
  serve('handOverPayment', async ({ headers, body }, now) => {
    const { filePaymentId }: BankPayment = body;
    const fate = { now, isRefused: await isRefused(filePaymentId), attempt: headers['x-hand-over-attempt'] };
    return handOverPayment(pool, headers['idempotency-key'], body, fate);
  });
  serve('findPayment', ({ params }, now) => findPayment(pool, params.paymentId, now));
  serve('requestApprovals', ({ headers, body }, now) => requestApprovals(pool, headers['idempotency-key'], body, now));
  serve('reportDecline', async ({ body }, now) => {
    await pool.query('INSERT INTO decline_reports (report, reported_at) VALUES ($1, $2)', [body, now]);
    return undefined;
  });
  return server;
}
