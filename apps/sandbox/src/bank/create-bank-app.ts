import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createBankAppPage } from './bank-app-page.js';
import { answerPushChallenge, findPushChallenges } from './push-challenges.js';

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'; " +
    "base-uri 'none'",
  'x-frame-options': 'DENY',
};
const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

const notices: ReadonlyMap<string, string> = new Map([
  ['Approved', 'Approved. Go back to the browser.'],
  ['Refused', 'Declined. Go back to the browser.'],
  ['TooLate', 'Too late: this no longer waits for you.'],
]);

/**
 * The page that replaces the app on a customer's phone: plain HTTP on the loopback address, without a sign-in, for the
 * sandbox alone. A page of another site can neither read it nor press its buttons.
 */
export function createBankApp({ pool, log }: { pool: Pool; log: Logger }): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log.child({ server: 'bank-app' });
  const server: FastifyInstance = fastify({ loggerInstance, bodyLimit: 1_024 });
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.addHook('onRequest', async (request, reply) => {
    const { host = '', origin } = request.headers;
    const isOwn = loopback.test(host) && (origin === undefined || origin === `http://${host}`);
    if (!isOwn) await reply.code(403).send('Not from here.');
  });
  const show = async (reply: FastifyReply, notice?: string): Promise<FastifyReply> => {
    const waiting = await findPushChallenges(pool, new Date());
    // The header makes new challenges appear without script.
    return reply.headers({ ...headers, refresh: '5; url=/' }).send(createBankAppPage(waiting, notice));
  };
  server.get<{ Querystring: { answer?: string } }>('/', async ({ query: { answer = '' } }, reply) =>
    show(reply, notices.get(answer)),
  );
  server.post<{ Params: { challengeId: string; answer: string } }>(
    '/challenges/:challengeId/:answer(^approve$|^refuse$)',
    async ({ params: { challengeId, answer } }, reply) => {
      const status = answer === 'approve' ? 'Approved' : 'Refused';
      const isTaken = await answerPushChallenge(pool, { challengeId, status }, new Date());
      // A reload must not answer again.
      return reply.redirect(`/?answer=${isTaken ? status : 'TooLate'}`, 303);
    },
  );
  return server;
}
