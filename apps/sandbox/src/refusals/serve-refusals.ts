import type { HttpsServer } from '../create-https-server.js';
import type { RefusalJournal } from './refusal-journal.js';

/**
 * Says why a request was refused, to anybody who knows its interaction id. Only the sandbox has this address: the
 * services themselves cannot serve it.
 */
export function serveRefusals(server: HttpsServer, journal: RefusalJournal): void {
  server.get<{ Params: { interactionId: string } }>(
    '/sandbox/refusals/:interactionId',
    async (request, reply) => (await journal.find(request.params.interactionId)) ?? reply.callNotFound(),
  );
}
