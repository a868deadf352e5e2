import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkPaymentFile } from '#libs/file-payment';
import { convertFile } from '../../../tpp/src/convert/convert-file.js';
import type { ConvertedFile, Fault } from '../../../tpp/src/convert/converted-file.js';
import { type ApiVersion, versionWords } from '../../../tpp/src/read-write/api-version.js';
import { portalRedirectUri } from '../sandbox-ports.js';
import { callbackContent } from './pages/callback-page.js';
import { homeContent, type RunForm } from './pages/home-page.js';
import { html } from '#libs/http-server';
import { exampleFields, oneContent, readFields, toCsv } from './pages/one-page.js';
import { exchangeList, faultsByLine, runContent, runRegion, type RunPage } from './pages/run-page.js';
import { isSampleName, sampleCsvs } from './pages/sample-csv.js';
import type { Portal } from './portal.js';
import type { PaymentRun } from './tpp/payment-run.js';

const mostCsvBytes = 524_288;
const mostFaults = 100;
const mostRunsListed = 10;
const fileTitle = 'Pay 150 suppliers';
const oneTitle = 'Pay one supplier';
type RunRequest = FastifyRequest<{ Params: { id: string } }>;

/** Serves the demo TPP: from a CSV to payments. */
export function serveRuns(server: FastifyInstance, portal: Portal): void {
  const { token, versions } = portal;
  const [defaultVersion = '3.1'] = versions;
  const newForm = (): RunForm => {
    const runs = portal.runs.newest(mostRunsListed);
    return { faults: [], token, versions, version: defaultVersion, runs };
  };
  server.get<{ Querystring: { sample?: unknown } }>('/', async ({ query: { sample } }, reply) => {
    const csv = sampleCsvs[isSampleName(sample) ? sample : 'suppliers'].text;
    return portal.send(reply, { title: fileTitle, path: '/', content: homeContent(csv, newForm()) });
  });

  server.get('/one', async (_request, reply) =>
    portal.send(reply, { title: oneTitle, path: '/one', content: oneContent(exampleFields, newForm()) }),
  );

  server.post<{ Body: URLSearchParams }>('/runs', { bodyLimit: mostCsvBytes }, async ({ body }, reply) => {
    const isOne = body.get('kind') === 'domestic-payment';
    const values = readFields(body);
    const csv = isOne ? toCsv(values) : (body.get('csv') ?? '').replaceAll('\r\n', '\n').replace(/^\n/, '');
    const version = versions.find((each) => each === body.get('version')) ?? defaultVersion;
    const converted = convert(csv, version);
    if (!('faults' in converted)) {
      const kind = isOne ? 'domestic-payment' : 'file-payment';
      return reply.redirect(`/runs/${portal.runs.create({ kind, csv, version, converted }).id}`, 303);
    }
    const form = { ...newForm(), faults: converted.faults, version };
    return isOne
      ? portal.send(reply.code(422), { title: oneTitle, path: '/one', content: oneContent(values, form) })
      : portal.send(reply.code(422), { title: fileTitle, path: '/', content: homeContent(csv, form) });
  });

  // The address of a page with mistakes, opened without its form.
  server.get('/runs', async (_request, reply) => reply.redirect('/', 303));

  server.get<{ Params: { id: string } }>('/runs/:id', async (request, reply) => {
    const run = portal.runs.find(request.params.id);
    if (run === undefined) return noRun(portal, reply);
    const number = run.converted.payments.length;
    const isOne = run.kind === 'domestic-payment';
    const title = isOne ? oneTitle : number === 1 ? 'Pay 1 supplier' : `Pay ${number} suppliers`;
    const stream = run.state === 'Paid' ? `/events/runs/${run.id}` : undefined;
    const content = runContent(await describeRun(portal, run));
    return portal.send(reply, {
      title,
      path: isOne ? '/one' : '/',
      content,
      ...(stream && { stream, isRefreshed: true }),
    });
  });

  serveSteps(server, portal);
  serveCallback(server, portal);
  serveRunEvents(server, portal);
}

/** Checks the CSV's own rules first, then those that the bank will apply. */
function convert(csv: string, version: ApiVersion): ConvertedFile | { faults: readonly Fault[] } {
  const converted = convertFile(Buffer.from(csv), 'csv', version);
  if ('faults' in converted) return converted;
  const { body } = converted.file;
  const { fileType } = versionWords[version];
  const { faults } = checkPaymentFile({ body, fileType, localInstrument: 'UK.OBIE.FPS', now: new Date() });
  return faults.length === 0 ? converted : { faults: faultsByLine(faults, converted.lines).slice(0, mostFaults) };
}

function serveSteps(server: FastifyInstance, portal: Portal): void {
  const { runs, steps } = portal;
  const step = (name: string, work: (run: PaymentRun) => Promise<void> | void): void => {
    server.post(`/runs/:id/${name}`, async (request: RunRequest, reply) => {
      const run = runs.find(request.params.id);
      if (run === undefined) return noRun(portal, reply);
      await work(run);
      return reply.redirect(`/runs/${run.id}`, 303);
    });
  };
  step('stage', (run) => steps.stage(run));
  step('pay', (run) => steps.pay(run));
  step('watch', (run) => steps.watch(run));
  server.post('/runs/:id/approve', async (request: RunRequest, reply) => {
    const run = runs.find(request.params.id);
    if (run === undefined) return noRun(portal, reply);
    return reply.redirect((await steps.sendToBank(run)) ?? `/runs/${run.id}`, 303);
  });
}

function serveCallback(server: FastifyInstance, portal: Portal): void {
  const title = 'Back from the bank';
  server.get('/callback', async ({ url }, reply) => {
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    return portal.send(reply, { title, path: '/', content: callbackContent(portal.token, query) });
  });
  server.post<{ Body: URLSearchParams }>('/callback', async ({ body }, reply) => {
    const answer = (body.get('answer') ?? '').trim().replace(/^[^#?]*[#?]/, '');
    const run = portal.runs.findByState(new URLSearchParams(answer).get('state') ?? '');
    if (run === undefined) {
      const text =
        'No run of this portal waits for this answer from the bank. It was used before, or the sandbox has restarted.';
      return portal.send(reply.code(400), {
        title,
        path: '/',
        content: html`<p id="no-run">${text}</p>
          <p><a href="/">Start a new run</a></p>`,
      });
    }
    await portal.steps.comeBack(run, `${portalRedirectUri(portal.parts.port)}#${answer}`);
    return reply.redirect(`/runs/${run.id}`, 303);
  });
}

function serveRunEvents(server: FastifyInstance, portal: Portal): void {
  server.get<{ Params: { id: string } }>('/events/runs/:id', async (request, reply) => {
    const run = portal.runs.find(request.params.id);
    if (run === undefined) return noRun(portal, reply);
    const show = async (): Promise<void> => {
      send?.('run', runRegion(await describeRun(portal, run)).text);
      send?.('sent', exchangeList(run).text);
      if (run.state !== 'Paid') send?.('end', '');
    };
    const forget = portal.onRunChange(run.id, () => void show());
    const send = portal.streams.open(reply, forget);
    if (send === undefined) {
      forget();
      return reply.code(503).send();
    }
    await show();
    return reply;
  });
}

async function describeRun(portal: Portal, run: PaymentRun): Promise<RunPage> {
  const { description, world } = portal.parts;
  const [customer] = description.customers;
  const id = run.problem?.interactionId;
  return {
    run,
    token: portal.token,
    customer: customer && {
      username: customer.username,
      password: customer.password,
      oneTimeCode: customer.one_time_code,
    },
    approvalsUrl: portal.approvalsUrl,
    refusal: id === undefined ? undefined : await world.journal.find(id),
  };
}

function noRun(portal: Portal, reply: FastifyReply): FastifyReply {
  const content = html`<p>The portal keeps the last fifty runs, until the sandbox stops.</p>
    <p><a href="/">Start a new run</a></p>`;
  return portal.send(reply.code(404), { title: 'This run no longer exists', path: '/', content });
}
