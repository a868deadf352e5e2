import { X509Certificate } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { listPsuStates, psuStates, setPsuState } from '../bank/psu-state.js';
import { faultNames, type FaultName } from '../control/faults.js';
import { letTimePass } from '../control/let-time-pass.js';
import { parseDuration } from '../control/parse-duration.js';
import { trustSteps } from '../trust/trust-steps.js';
import { boardContent, consentList, requestItem } from './pages/board-page.js';
import { controlsContent, describeSpan, timeSpans } from './pages/controls-page.js';
import { customersContent } from './pages/customers-page.js';
import { trustContent } from './pages/trust-page.js';
import type { LedgerEntry } from './live/consent-ledger.js';
import type { AnsweredRequest } from './live/request-journal.js';
import type { Portal } from './portal.js';

const mostRequests = 60;

/** Serves the pages that are about all TPPs. */
export function serveWorld(server: FastifyInstance, portal: Portal): void {
  serveBoard(server, portal);
  serveControls(server, portal);
  serveCustomers(server, portal);
  const { ca, caFile } = portal.parts;
  server.get('/trust', async (_request, reply) => {
    const fingerprint = new X509Certificate(ca).fingerprint256;
    const content = trustContent({
      steps: trustSteps(process.platform, caFile),
      fingerprint,
      bankUrl: portal.bankOrigin,
      apiUrl: portal.parts.description.base_url,
    });
    return portal.send(reply, { title: 'Certificates', path: '/trust', content });
  });
  server.get('/certificate-authority.pem', async (_request, reply) =>
    reply.type('application/x-x509-ca-cert').send(ca),
  );
}

function serveCustomers(server: FastifyInstance, portal: Portal): void {
  const { description, world } = portal.parts;
  server.get('/customers', async (_request, reply) => {
    const states = await listPsuStates(world.bank);
    const content = customersContent({ description, approvalsUrl: portal.approvalsUrl, states, token: portal.token });
    return portal.send(reply, { title: 'Customers', path: '/customers', content });
  });
  server.post<{ Body: URLSearchParams }>('/customers/state', async ({ body }, reply) => {
    const state = psuStates.find((name) => name === body.get('state'));
    const isChanged = state !== undefined && (await setPsuState(world.bank, body.get('username') ?? '', state));
    return isChanged ? reply.redirect('/customers', 303) : reply.code(400).send();
  });
}

function serveBoard(server: FastifyInstance, portal: Portal): void {
  const { ledger, nameOf, streams } = portal;
  const { requests } = portal.parts.world;
  server.get('/board', async (_request, reply) => {
    await portal.tpps();
    const content = boardContent({ ledger: await ledger.read(), requests: requests.newest(mostRequests), nameOf });
    return portal.send(reply, { title: 'Live board', path: '/board', content, stream: '/events' });
  });
  server.get('/events', async (_request, reply) => {
    const onAnswered = (request: AnsweredRequest): void => send?.('request', requestItem(request, nameOf).text);
    const onChanged = (entries: readonly LedgerEntry[]): void => send?.('consents', consentList(entries).text);
    const forget = (): void => {
      requests.off('answered', onAnswered);
      unwatch();
    };
    const unwatch = ledger.watch(onChanged);
    const send = streams.open(reply, forget);
    if (send === undefined) {
      forget();
      return reply.code(503).send();
    }
    requests.on('answered', onAnswered);
    // Sends what happened between the page and its stream.
    onChanged(await ledger.read());
    for (const request of requests.newest(mostRequests).toReversed()) onAnswered(request);
    return reply;
  });
}

function serveControls(server: FastifyInstance, portal: Portal): void {
  const { faults, service, bank } = portal.parts.world;
  const show = async (reply: FastifyReply, notice = ''): Promise<FastifyReply> => {
    const content = controlsContent({ tpps: await portal.tpps(), faults: faults.list(), notice, token: portal.token });
    return portal.send(reply, { title: 'Clock and faults', path: '/controls', content });
  };
  const tppOf = async (form: URLSearchParams): Promise<string | undefined> =>
    (await portal.tpps()).find(({ softwareId }) => softwareId === form.get('software_id'))?.softwareId;

  server.get('/controls', async (_request, reply) => show(reply));
  server.post<{ Body: URLSearchParams }>('/controls/clock', async ({ body }, reply) => {
    const softwareId = await tppOf(body);
    const span = timeSpans.find(([name]) => name === body.get('duration'))?.[0] ?? '';
    const milliseconds = parseDuration(span);
    if (softwareId === undefined || milliseconds === undefined)
      return show(reply.code(400), 'Select a TPP and how much time.');
    await letTimePass({ service, bank, softwareId, milliseconds });
    return show(reply, `${describeSpan(span)} have passed for ${portal.nameOf(softwareId)}.`);
  });
  server.post<{ Body: URLSearchParams }>('/controls/faults', async ({ body }, reply) => {
    const softwareId = await tppOf(body);
    const fault = faultNames.find((name): name is FaultName => name === body.get('fault'));
    if (softwareId === undefined || fault === undefined) return show(reply.code(400), 'Select a TPP and a fault.');
    faults.set({ softwareId, fault, times: 1 });
    return show(reply, `The fault ${fault} is set for ${portal.nameOf(softwareId)}. It happens once.`);
  });
  server.post<{ Body: URLSearchParams }>('/controls/faults/clear', async ({ body }, reply) => {
    const softwareId = await tppOf(body);
    if (softwareId === undefined) return show(reply.code(400), 'There is no such TPP.');
    faults.clear(softwareId);
    return show(reply, `${portal.nameOf(softwareId)} has no faults.`);
  });
}
