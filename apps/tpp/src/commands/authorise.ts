import { spawn } from 'node:child_process';
import { callOf } from '#libs/command-line';
import { type Command, type CommandCall, type Described, text } from '../cli/command.js';
import { type Session, toKept } from '../cli/session.js';
import { quote, ShownInstead } from '../cli/curl.js';
import { JourneyError, UsageError } from '../journey-error.js';
import { approve, confirm, signIn } from '../customer/approve.js';
import { CustomerBrowser } from '../customer/customer-browser.js';
import { waitForRedirect } from '../customer/redirect-listener.js';
import type { AuthorizationRequest } from '../oauth/authorization-request.js';
import { verifyAuthorizationResponse, verifyIdToken } from '../oauth/authorization-response.js';
import { commandOf, type Journey, journeys, type PaymentKind } from '../purpose.js';
import type { SandboxCustomer } from '../sandbox-description.js';

const options: readonly Described[] = [
  ['--as <customer>', 'a customer of the sandbox (alice, bob, carol, dave, erin) signs in and approves automatically'],
  ['--account <name>', 'with --as: the account to pay from, or to be read; default: the first one'],
  ['--listen <port>', 'wait on http://127.0.0.1:PORT for the browser to return; forward your redirect address there'],
  ['--seconds <n>', 'with --listen: how long to wait; default: 300'],
  ['--returned <address>', 'the address to which the browser returned after an earlier run without --as'],
  ['--open', 'open the address in the browser of this machine'],
  ['--consent <id>', 'default: the last consent'],
  ['--acr <value>', 'how the customer must authenticate, such as urn:openbanking:psd2:sca; the answer must say so'],
  ['--jarm', 'request the answer as a JWT and verify it (JARM)'],
];

/**
 * The authorization request in the flow of the client's profile, and the exchange of the code.
 * @param kind takes the last consent of this kind; undefined: the last one of any journey
 */
export function createAuthoriseCommand(kind?: PaymentKind): Command {
  return {
    name: kind === undefined ? 'authorise' : commandOf(kind, 'authorise'),
    summary: 'send the customer to the bank to approve the consent, and exchange the returned code',
    options,
    note: 'Without --as and --listen it prints an address and asks for the one to which the browser returns.',
    async run(call) {
      const session = await call.session();
      await authorise(session, kind ?? (await session.journeyOf(text(call.values, 'consent'))), call);
    },
  };
}

async function authorise(session: Session, journey: Journey, call: CommandCall): Promise<void> {
  const { output, values } = call;
  const customer = findCustomer(text(values, 'as'), session);
  const consentId = await session.consentId(journey, text(values, 'consent'));
  const { scope } = journeys[journey];
  const [provider, clientId] = [await session.provider(), await session.clientId()];
  const returned = text(values, 'returned');
  const { authorization: sent } = await session.state();
  if (returned !== undefined && sent === undefined)
    throw new JourneyError(`there is no authorisation request to complete: run "${cureOf(consentId)}" first`);
  const request =
    returned !== undefined && sent !== undefined
      ? sent
      : await session.authorizationRequest({
          consentId,
          purpose: scope,
          isJwtResponse: values['jarm'] === true,
          acr: text(values, 'acr'),
        });
  if (values['curl'] === true) showCurl(request, session, call);
  await session.folder.update({ authorization: request });
  const location = returned ?? (await sendCustomer(request, session, { ...call, customer, consentId }));
  if (location === undefined) return;
  const expected = { provider, keys: await session.keys(), clientId, consentId };
  const code = await verifyAuthorizationResponse({ location, request, ...expected });
  output.line('The customer is back; ID token, state and code belong together.');
  const { redirectUri, codeVerifier } = request;
  const token = await session.requestToken({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    scope: `openid ${scope}`,
    ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
  });
  await verifyIdToken({ idToken: token.id_token ?? '', ...expected, request, accessToken: token.access_token });
  const last = (await session.state())[journey];
  const kept = last?.consentId === consentId ? last : { consentId, version: await session.versionOf(journey) };
  await session.folder.update({ authorization: undefined, [journey]: { ...kept, token: toKept(token) } });
  output.line(`Consent ${consentId} is authorised; the code is exchanged for a token valid for ${token.expires_in} s.`);
  output.add({ consent_id: consentId, authorised: true, expires_in: token.expires_in });
}

function showCurl({ url }: AuthorizationRequest, { profile }: Session, { output }: CommandCall): never {
  const anchors = profile.caFile === undefined ? '' : ` --cacert ${quote(profile.caFile)}`;
  const curl = `curl --silent --show-error --include${anchors} ${quote(url)}`;
  output.line(curl);
  output.add({ curl });
  throw new ShownInstead('the request was shown and not sent');
}

/** Names the consent, because another may be staged meanwhile. */
const cureOf = (consentId: string): string => `${callOf('tpp')} authorise --consent ${consentId}`;

async function sendCustomer(
  request: AuthorizationRequest,
  session: Session,
  call: CommandCall & { customer: SandboxCustomer | undefined; consentId: string },
): Promise<string | undefined> {
  const { values, output, surroundings, customer, consentId } = call;
  const accountName = text(values, 'account');
  if (customer !== undefined) return approveAs(customer, request, session, { output, accountName });
  output.line('Send the customer to:');
  output.line(request.url);
  output.add({ address: request.url });
  if (values['open'] === true) openBrowser(request.url);
  const port = text(values, 'listen');
  if (port !== undefined) {
    const seconds = Number(text(values, 'seconds') ?? 300);
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError('--listen must be a port number');
    if (!(seconds > 0 && seconds <= 86_400))
      throw new UsageError('--seconds must be a number above 0, at most 86,400 (a day)');
    return waitForRedirect({
      port: Number(port),
      redirectUri: request.redirectUri,
      timeoutMilliseconds: seconds * 1_000,
      onListening: (address) => output.progress(`waiting on ${address} for at most ${seconds} s`),
    });
  }
  if (surroundings.ask === undefined) {
    output.line(`Then: ${cureOf(consentId)} --returned ADDRESS`);
    return undefined;
  }
  return (await surroundings.ask('Address that the browser was sent back to: ')).trim();
}

/** @throws UsageError if the bank is not the sandbox's own, or has no such customer */
function findCustomer(name: string | undefined, { profile }: Session): SandboxCustomer | undefined {
  if (name === undefined) return undefined;
  const { customers } = profile;
  if (customers.length === 0)
    throw new UsageError(
      '--as signs in customers of the sandbox’s own bank: leave it out and sign in yourself, in a browser',
    );
  const customer = customers.find(({ username }) => username === name);
  if (customer) return customer;
  const names = customers.map(({ username }) => username).join(', ');
  throw new UsageError(`the sandbox has no customer ${name}; it has ${names}`);
}

async function approveAs(
  customer: SandboxCustomer,
  request: AuthorizationRequest,
  { profile, browserClient }: Session,
  { output, accountName: named }: { output: CommandCall['output']; accountName: string | undefined },
): Promise<string> {
  const { username: name } = customer;
  const browser = new CustomerBrowser(browserClient, request.redirectUri);
  output.progress(`${name} is sent to ${new URL(request.url).origin}`);
  await browser.open(request.url);
  // The bank has answered without asking the customer: its error is in the address.
  if (browser.leftFor !== undefined) return browser.leftFor;
  await signIn(browser, customer);
  output.progress(`${name} has signed in and reads: ${beginningOf(browser.text('consent-summary'))}`);
  const accountName = named ?? customer.accounts[0]?.name ?? '';
  await approve(browser, { accountName, expected: [] });
  const location = await confirm(browser, customer, () =>
    output.progress(
      `${name} has to approve in the bank's app${profile.bankApp === undefined ? '' : `: ${profile.bankApp}`}`,
    ),
  );
  output.line(`${name} approved: ${accountName}.`);
  return location;
}

/** The beginning of a page's text, whole words only. */
function beginningOf(text: string): string {
  const spaced = text.replaceAll(/ (?=[,)])|(?<=\() /g, '');
  return spaced.length > 200 ? `${spaced.slice(0, spaced.lastIndexOf(' ', 200))} …` : spaced;
}

/** The system's program for opening addresses. The address is also printed, in case there is none. */
function openBrowser(url: string): void {
  const [program, ...parameters] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(program, parameters, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
