import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { repositoryRoot } from '#libs/command-line';
import { createOutgoingAgent, exchange } from '#libs/outgoing';
import type { PsuState } from '../bank/psu-state.js';
import { errorCode, SandboxError } from '../sandbox-error.js';
import { readDescription, type SandboxDescription } from '../sandbox-description.js';
import { readControlToken } from './control-token.js';

/** To let time pass may change many rows. */
const patienceMilliseconds = 120_000;
const maxAnswerBytes = 1_048_576;

/** A fault for one TPP. */
export interface FaultCommand {
  /** name of the TPP */
  readonly tpp: string;
  readonly fault: string;
  /** undefined: until it is cleared or the sandbox stops */
  readonly times?: number | undefined;
}

/**
 * Lets time pass for one TPP.
 * @param directory the sandbox's folder
 * @returns a line for the user, like the commands below
 * @throws SandboxError when no sandbox runs, or it has no such TPP
 */
export async function moveClock(directory: string, tpp: string, milliseconds: number): Promise<string> {
  const client = await ControlClient.open(directory);
  const { moved } = await client.send('POST', '/time', { softwareId: client.softwareIdOf(tpp), milliseconds });
  return (
    `${milliseconds / 1_000} seconds have passed for ${tpp} (${String(moved)} rows changed). What has expired ends ` +
    'within 30 seconds.'
  );
}

/** @throws SandboxError */
export async function setFault(directory: string, { tpp, fault, times }: FaultCommand): Promise<string> {
  const client = await ControlClient.open(directory);
  const softwareId = client.softwareIdOf(tpp);
  await client.send('POST', '/faults', { softwareId, fault, ...(times !== undefined && { times }) });
  return `${tpp}: ${fault}, ${times === undefined ? 'until it is cleared or the sandbox stops' : `${times} time(s)`}.`;
}

/**
 * Sets the state of a customer of the sandbox bank.
 * @throws SandboxError
 */
export async function setCustomerState(directory: string, username: string, state: PsuState): Promise<string> {
  const client = await ControlClient.open(directory);
  await client.send('POST', '/customers', { username, state });
  return `${username} is ${state.toLowerCase()} at the bank, for codes and refresh tokens from their next use.`;
}

/** @throws SandboxError */
export async function clearFaults(directory: string, tpp: string): Promise<string> {
  const client = await ControlClient.open(directory);
  await client.send('DELETE', `/faults/${client.softwareIdOf(tpp)}`);
  return `${tpp} has no faults.`;
}

/** @throws SandboxError */
export async function listFaults(directory: string): Promise<string> {
  const client = await ControlClient.open(directory);
  return JSON.stringify((await client.send('GET', '/faults'))['faults'], undefined, 2);
}

/** Sends commands to a sandbox that runs on this machine. */
class ControlClient {
  private constructor(
    private readonly description: SandboxDescription,
    private readonly token: string,
    private readonly ca: string,
  ) {}

  /** @throws SandboxError if there is no sandbox */
  static async open(directory: string): Promise<ControlClient> {
    const description = await readDescription(directory);
    const token = await readControlToken(directory).catch((cause: unknown) => {
      throw new SandboxError(`No sandbox is running in ${directory}: run "npm start" first.`, { cause });
    });
    const ca = await readFile(resolve(repositoryRoot(), description.ca_file), 'utf8');
    return new ControlClient(description, token, ca);
  }

  /**
   * @param tpp name or software id
   * @returns its software id
   * @throws SandboxError
   */
  softwareIdOf(tpp: string): string {
    const tpps = [...this.description.tpps, this.description.portal.tpp];
    const found = tpps.filter(({ name, software_id: id }) => name === tpp || id === tpp);
    if (found.length === 1) return found[0]?.software_id ?? '';
    const names = tpps.map(({ name, software_id: id }) => `"${name}" (${id})`).join(', ');
    const problem =
      found.length === 0 ? `No TPP is called ${tpp}.` : `More than one TPP is called ${tpp}; give its id.`;
    throw new SandboxError(`${problem} Choose one of: ${names}.`);
  }

  /** @throws SandboxError if the sandbox does not run, or refuses */
  async send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await exchange({
      url: new URL(`${this.description.directory.base_url}/sandbox${path}`),
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && Buffer.from(JSON.stringify(body)),
      agent: createOutgoingAgent({ ca: this.ca, keepAlive: false }),
      patience: patienceMilliseconds,
      maxBytes: maxAnswerBytes,
      isRepeatable: false,
    }).catch((cause: unknown) => {
      if (errorCode(cause) !== 'ECONNREFUSED') throw cause;
      throw new SandboxError('The sandbox is not running: run "npm start" first.', { cause });
    });
    if (answer.status !== 200) throw new SandboxError(`The sandbox refused (${answer.status}): ${answer.text}`);
    return JSON.parse(answer.text) as Record<string, unknown>;
  }
}
