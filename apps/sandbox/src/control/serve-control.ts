import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { psuStates, setPsuState, type PsuState } from '../bank/psu-state.js';
import type { HttpsServer } from '../create-https-server.js';
import { isControlToken } from './control-token.js';
import { faultNames, type FaultName, type Faults } from './faults.js';
import { letTimePass } from './let-time-pass.js';
import { longestMilliseconds } from './parse-duration.js';

const softwareId = { type: 'string', pattern: '^[0-9A-Za-z]{22}$' };

/**
 * Serves the commands of the sandbox: time and faults of one TPP, and the state of customers.
 * @param options.token permits all of them
 */
// oxlint-disable-next-line max-lines-per-function -- a list of routes
export function serveControl(
  server: HttpsServer,
  options: { token: string; faults: Faults; service: Pool; bank: Pool },
): void {
  const { token, faults, service, bank } = options;
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> =>
    isControlToken(token, request.headers.authorization) ? undefined : reply.code(401).send({ reason: 'Unauthorized' });

  server.post<{ Body: { softwareId: string; milliseconds: number } }>(
    '/sandbox/time',
    {
      onRequest,
      schema: {
        body: {
          type: 'object',
          required: ['softwareId', 'milliseconds'],
          properties: { softwareId, milliseconds: { type: 'integer', minimum: 1, maximum: longestMilliseconds } },
        },
      },
    },
    async ({ body }) => ({ moved: await letTimePass({ service, bank, ...body }) }),
  );

  server.get('/sandbox/faults', { onRequest }, async () => ({ faults: faults.list() }));

  server.post<{ Body: { softwareId: string; fault: FaultName; times?: number } }>(
    '/sandbox/faults',
    {
      onRequest,
      schema: {
        body: {
          type: 'object',
          required: ['softwareId', 'fault'],
          properties: {
            softwareId,
            fault: { enum: faultNames },
            times: { type: 'integer', minimum: 1, maximum: 999 },
          },
        },
      },
    },
    async ({ body }) => {
      faults.set({ softwareId: body.softwareId, fault: body.fault, times: body.times });
      return { faults: faults.list() };
    },
  );

  server.post<{ Body: { username: string; state: PsuState } }>(
    '/sandbox/customers',
    {
      onRequest,
      schema: {
        body: {
          type: 'object',
          required: ['username', 'state'],
          properties: { username: { type: 'string', maxLength: 128 }, state: { enum: psuStates } },
        },
      },
    },
    async ({ body }, reply) =>
      (await setPsuState(bank, body.username, body.state)) ? { state: body.state } : reply.callNotFound(),
  );

  server.delete<{ Params: { softwareId: string } }>(
    '/sandbox/faults/:softwareId',
    { onRequest },
    async ({ params }) => {
      faults.clear(params.softwareId);
      return { faults: faults.list() };
    },
  );
}
