import { callOf, CommandLineError } from '#libs/command-line';
import { parseApiVersion } from '../read-write/api-version.js';
import type { HttpsResponse } from '../https-client.js';
import { JourneyError, SentBackError, UsageError } from '../journey-error.js';
import { loadProfile } from '../profile/profile.js';
import { type Command, text } from './command.js';
import { ShownInstead } from './curl.js';
import { Output } from './output.js';
import { Session } from './session.js';
import type { Surroundings } from './surroundings.js';
import { createTppProgram, type GivenCommand } from './tpp-program.js';

/** Exit codes, as in the help. */
const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/**
 * Runs one command of the TPP's command line.
 * @param parameters what follows the program's name
 * @returns the exit code
 */
export async function runCli(parameters: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = createTppProgram(async (given) => {
    exitCode = await runCommand(given, surroundings);
  });
  try {
    const help = await program.run(parameters);
    if (help !== undefined) surroundings.out(`${help}\n`);
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    surroundings.err(`${error.message}\n`);
    const output = new Output(surroundings, parameters.includes('--json'));
    output.add({ error: error.summary });
    output.end();
    return exitCodes.usage;
  }
}

async function runCommand({ command, positionals, values }: GivenCommand, surroundings: Surroundings): Promise<number> {
  let session: Session | undefined;
  const output = new Output(surroundings, values['json'] === true);
  const isCurl = values['curl'] === true;
  try {
    const named = text(values, 'version');
    const version = named === undefined ? undefined : parseApiVersion(named);
    const openSession = async (): Promise<Session> => {
      if (session !== undefined) return session;
      const profile = await loadProfile({
        profileFile: text(values, 'profile'),
        tppName: text(values, 'tpp'),
        stateFolder: text(values, 'state'),
        env: surroundings.env,
      });
      const isExplained = values['explain'] === true;
      session = await Session.open(profile, { output, isCurl, isExplained, version });
      return session;
    };
    await command.run({ surroundings, output, positionals, values, session: openSession });
    output.end();
    return output.isFailed ? exitCodes.failed : exitCodes.done;
  } catch (error) {
    if (error instanceof ShownInstead) {
      output.end();
      return exitCodes.done;
    }
    return tell(error, { command, session, output, surroundings });
  } finally {
    await session?.close();
  }
}

/** Nobody answered the request. */
const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN', 'EHOSTUNREACH']);

function tell(
  error: unknown,
  call: { command: Command; session: Session | undefined; output: Output; surroundings: Surroundings },
): number {
  const { command, session, output, surroundings } = call;
  const code = codeOf(error);
  const said = String(Reflect.get(Object(error), 'message') ?? error).split('\n')[0] ?? '';
  const exitCode = error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  const last = session?.lastExchange;
  const isSentBack = error instanceof SentBackError;
  const refused = isSentBack
    ? session?.lastRefused
    : last !== undefined && isExplained(last.response)
      ? last
      : undefined;
  const interactionId = refused?.response.headers['x-fapi-interaction-id'];
  const hints = [
    ...(exitCode === exitCodes.usage ? [`Help: ${callOf('tpp')} ${command.name} --help`] : []),
    ...(unreachable.has(code) ? [nothingAnswers(session)] : []),
    ...(typeof interactionId === 'string' ? [`Why: ${callOf('tpp')} why ${interactionId}`] : []),
    ...(isTlsRefusal(error) ? [`The connection itself was refused: ${callOf('tpp')} doctor`] : []),
  ];
  const faults = last === undefined ? undefined : readFaults(last.response);
  const [message = ''] = faults === undefined ? [said] : said.split(': {', 1);
  surroundings.err(`${[`${command.name}: ${message}`, ...(faults?.lines ?? []), ...hints].join('\n')}\n`);
  const told = { ...faults?.members, ...(typeof interactionId === 'string' && { interaction_id: interactionId }) };
  output.add({ error: message, ...told });
  output.end();
  // An unexpected error is a fault of this program; print its stack.
  const isForeseen = error instanceof UsageError || error instanceof JourneyError || code !== '';
  if (!isForeseen && error instanceof Error && surroundings.env['DEBUG']) surroundings.err(`${error.stack}\n`);
  return exitCode;
}

/** A page that shows its form again already says why. */
function isExplained({ status, body }: HttpsResponse): boolean {
  return status >= 400 && !body.includes('<form');
}

function nothingAnswers(session: Session | undefined): string {
  const isSandbox = session === undefined || session.profile.refusalsUrl !== undefined;
  return isSandbox
    ? 'Nothing answers there. Is the sandbox running (npm start)?'
    : `Nothing answers there. Is discovery_uri of the profile right (${session.profile.discoveryUri})?`;
}

function isTlsRefusal(error: unknown): boolean {
  return /^ERR_SSL|^ERR_TLS|CERT|SELF_SIGNED|^ECONNRESET|^EPROTO/.test(codeOf(error));
}

/** @returns the code of an error of the system; empty for any other */
function codeOf(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' ? code : '';
}

/** The faults in an answer. */
interface Faults {
  /** for a person: one line for each fault */
  readonly lines: readonly string[];
  /** for a program */
  readonly members: Readonly<Record<string, unknown>>;
}

/** @returns the faults of a refusal; undefined for any other answer, or if no program can read them */
function readFaults({ status, body }: HttpsResponse): Faults | undefined {
  if (status < 400) return undefined;
  const said = readJson(body);
  const { Errors, error, error_description: description } = said;
  if (Array.isArray(Errors)) {
    const errors = Errors as readonly { ErrorCode?: string; Message?: string; Path?: string }[];
    const lines = errors.map(
      ({ ErrorCode, Message, Path = '' }) => `  ${[ErrorCode, Path].join(' ').trim()}: ${Message}`,
    );
    return { lines, members: { status, errors } };
  }
  if (typeof error !== 'string') return undefined;
  return {
    lines: [`  ${[error, description].filter(Boolean).join(': ')}`],
    members: { status, oauth_error: error, ...(description !== undefined && { oauth_error_description: description }) },
  };
}

function readJson(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // A page or an empty body: no faults to read.
    return {};
  }
}
