import type { PsuState } from '../bank/psu-state.js';
import { ControlClient } from './control-client.js';

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
