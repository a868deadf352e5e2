import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createHttpsServer, type HttpsServer } from '../create-https-server.js';
import type { Credential } from '../trust/trust-framework.js';
import { requestApprovals } from './approval-requests.js';
import type { BankAnswer } from './bank-answer.js';
import { findChallenge, startChallenge, verifyChallenge } from './challenges.js';
import { passFence } from './fences.js';
import { checkFunds } from './funds-checks.js';
import { readOperations } from './operations.js';
import { checkPayeeNames, findKnownPayees } from './payee-checks.js';
import { findPaymentAccounts } from './payment-accounts.js';
import { reserveBatch } from './payment-batches.js';
import { findPayment, findPaymentsOfFile, handOverPayment } from './payments.js';
import { findPsuState } from './psu-state.js';
import { verifyOneTimeCode, verifyPassword } from './psu-authentication.js';
import type * as requests from './requests.js';

interface IdempotentHeaders {
  'idempotency-key': string;
}

interface AttemptHeaders extends IdempotentHeaders {
  'x-hand-over-attempt': number;
}

/** A request that has the form of its operation. */
interface Asked<Body = undefined, Params = object, Headers = object> {
  body: Body;
  params: Params;
  headers: Headers;
}
type OfPsu = Asked<undefined, { psuId: string }>;
type OfFilePayment<Headers = object> = Asked<undefined, { filePaymentId: string }, Headers>;

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
  const serve = <Request extends Asked<unknown>>(
    operationId: string,
    answer: (request: Request) => BankAnswer | undefined | Promise<BankAnswer | undefined>,
  ): void => {
    const operation = operations.get(operationId);
    if (operation === undefined) throw new TypeError(`deploy/bank-openapi.yaml has no operation ${operationId}.`);
    server.route({
      ...operation,
      handler: async (request, reply) => {
        const { status, body } = (await answer(request as unknown as Request)) ?? { status: 204, body: undefined };
        return reply.code(status).send(body);
      },
    });
  };

  serve('verifyPassword', ({ body }: Asked<requests.PasswordRequest>) => verifyPassword(pool, body, new Date()));
  serve('verifyOneTimeCode', ({ body }: Asked<requests.OneTimeCodeRequest>) =>
    verifyOneTimeCode(pool, body, new Date()),
  );
  serve('startChallenge', ({ body }: Asked<requests.ChallengeBinding>) => startChallenge(pool, body, new Date()));
  serve('findChallenge', ({ params }: Asked<undefined, { challengeId: string }>) =>
    findChallenge(pool, params.challengeId, new Date()),
  );
  serve('verifyChallenge', ({ params, body }: Asked<requests.ChallengeVerificationRequest, { challengeId: string }>) =>
    verifyChallenge(pool, params.challengeId, body, new Date()),
  );
  serve('findPaymentAccounts', ({ params }: OfPsu) => findPaymentAccounts(pool, params.psuId));
  serve('findPsuState', ({ params }: OfPsu) => findPsuState(pool, params.psuId));
  serve('checkFunds', ({ body }: Asked<requests.FundsCheckRequest>) => checkFunds(pool, body));
  serve('checkPayeeNames', ({ body }: Asked<requests.PayeeNameChecksRequest>) => checkPayeeNames(body));
  serve('findKnownPayees', ({ body }: Asked<requests.KnownPayeesRequest>) => findKnownPayees(pool, body));
  serve('reserveBatch', ({ headers, body }: Asked<requests.PaymentBatchRequest, object, AttemptHeaders>) =>
    reserveBatch(pool, headers['idempotency-key'], body, headers['x-hand-over-attempt']),
  );
  serve('fenceBatch', async ({ headers, params }: OfFilePayment<AttemptHeaders>) => {
    await passFence(pool, params.filePaymentId, headers['x-hand-over-attempt']);
    return undefined;
  });
  serve('findPaymentsOfFile', ({ params }: OfFilePayment) =>
    findPaymentsOfFile(pool, params.filePaymentId, new Date()),
  );
  serve('handOverPayment', async ({ headers, body }: Asked<requests.PaymentRequest, object, AttemptHeaders>) => {
    const attempt = headers['x-hand-over-attempt'];
    const fate = { now: new Date(), isRefused: await isRefused(body.filePaymentId), attempt };
    return handOverPayment(pool, headers['idempotency-key'], body, fate);
  });
  serve('findPayment', ({ params }: Asked<undefined, { paymentId: string }>) =>
    findPayment(pool, params.paymentId, new Date()),
  );
  serve('requestApprovals', ({ headers, body }: Asked<requests.ApprovalRequest, object, IdempotentHeaders>) =>
    requestApprovals(pool, headers['idempotency-key'], body, new Date()),
  );
  serve('reportDecline', async ({ body }: Asked<requests.DeclineReport>) => {
    await pool.query('INSERT INTO decline_reports (report, reported_at) VALUES ($1, $2)', [body, new Date()]);
    return undefined;
  });
  return server;
}
