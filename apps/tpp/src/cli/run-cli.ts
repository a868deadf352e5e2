import { resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { parseApiVersion } from '../file-payments/api-version.js';
import { JourneyError } from '../journey-error.js';
import { loadProfile } from '../profile/profile.js';
import type { Command, CommandCall, OptionValues, Surroundings } from './command.js';
import { text } from './command.js';
import { commands } from './commands.js';
import { ShownInstead } from './curl.js';
import { commandHelp, overview } from './help.js';
import { Output } from './output.js';
import { Session } from './session.js';
import { UsageError } from './usage-error.js';

/** Exit codes, as the help says them. */
const exitCodes = { done: 0, refused: 1, usage: 2, unreachable: 3 } as const;

const commonOptions = {
  profile: { type: 'string' },
  tpp: { type: 'string' },
  state: { type: 'string' },
  version: { type: 'string' },
  json: { type: 'boolean' },
  explain: { type: 'boolean' },
  curl: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsConfig['options'];

/**
 * Runs one command of the TPP's command line.
 * @param parameters what follows the program's name
 * @returns the exit code
 */
export async function runCli(parameters: readonly string[], surroundings: Surroundings): Promise<number> {
  const [name, ...rest] = parameters;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const asked = commands.find((command) => command.name === rest[0]);
    surroundings.out(asked && name === 'help' ? commandHelp(asked) : overview(commands));
    return name === undefined ? exitCodes.usage : exitCodes.done;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    surroundings.err(`There is no command ${name}.\n\n${overview(commands)}`);
    return exitCodes.usage;
  }
  return runCommand(command, rest, surroundings);
}

async function runCommand(command: Command, rest: readonly string[], surroundings: Surroundings): Promise<number> {
  let session: Session | undefined;
  let output = new Output(surroundings, rest.includes('--json'));
  try {
    const { positionals, values } = parse(command, rest);
    if (values['help'] === true) {
      surroundings.out(commandHelp(command));
      return exitCodes.done;
    }
    output = new Output(surroundings, values['json'] === true);
    const isCurl = values['curl'] === true;
    if (isCurl && !command.sendsRequest)
      throw new UsageError(`${command.name} sends no request that --curl could show`);
    const profile: CommandCall['profile'] = () =>
      loadProfile({
        profileFile: text(values, 'profile') && resolve(surroundings.workingFolder, text(values, 'profile') ?? ''),
        tppName: text(values, 'tpp'),
        stateFolder: text(values, 'state') && resolve(surroundings.workingFolder, text(values, 'state') ?? ''),
        env: surroundings.env,
      });
    const named = text(values, 'version');
    const version = named === undefined ? undefined : parseApiVersion(named);
    const openSession = async (): Promise<Session> => {
      const isExplained = values['explain'] === true;
      session ??= await Session.open(await profile(), { output, isCurl, isExplained, version });
      return session;
    };
    const path = (file: string): string => resolve(surroundings.workingFolder, file);
    const exitCode = await command.run({
      surroundings,
      output,
      positionals,
      values,
      profile,
      session: openSession,
      path,
    });
    output.end();
    return exitCode;
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

function parse(command: Command, rest: readonly string[]): { positionals: readonly string[]; values: OptionValues } {
  try {
    return parseArgs({
      args: [...rest],
      allowPositionals: true,
      options: { ...commonOptions, ...command.options },
    }) as { positionals: string[]; values: OptionValues };
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** What no server answered to. */
const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN', 'EHOSTUNREACH']);

function tell(
  error: unknown,
  call: { command: Command; session: Session | undefined; output: Output; surroundings: Surroundings },
): number {
  const { command, session, output, surroundings } = call;
  const code = codeOf(error);
  const message = String(Reflect.get(Object(error), 'message') ?? error).split('\n')[0] ?? '';
  const exitCode =
    error instanceof UsageError ? exitCodes.usage : unreachable.has(code) ? exitCodes.unreachable : exitCodes.refused;
  const last = session?.lastExchange;
  const interactionId =
    last && last.response.status >= 400 ? last.response.headers['x-fapi-interaction-id'] : undefined;
  const hints = [
    ...(exitCode === exitCodes.usage ? [`Help: npm run tpp -- ${command.name} --help`] : []),
    ...(exitCode === exitCodes.unreachable ? ['Nothing answers there. Is the sandbox running (npm start)?'] : []),
    ...(typeof interactionId === 'string' ? [`Why: npm run tpp -- why ${interactionId}`] : []),
    ...(isTlsRefusal(error) ? ['The connection itself was refused: npm run tpp -- doctor'] : []),
  ];
  surroundings.err(`${[`${command.name}: ${message}`, ...hints].join('\n')}\n`);
  output.add({ error: message, ...(typeof interactionId === 'string' && { interaction_id: interactionId }) });
  output.end();
  // What nobody foresaw is a fault of this program: its stack helps to mend it.
  const isForeseen = error instanceof UsageError || error instanceof JourneyError || code !== '';
  if (!isForeseen && error instanceof Error && surroundings.env['DEBUG']) surroundings.err(`${error.stack}\n`);
  return exitCode;
}

function isTlsRefusal(error: unknown): boolean {
  return /^ERR_SSL|^ERR_TLS|CERT|SELF_SIGNED|^ECONNRESET|^EPROTO/.test(codeOf(error));
}

/** @returns the code of an error of the system; empty for any other */
function codeOf(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' ? code : '';
}
