import { SandboxError } from '../sandbox-error.js';
import { ControlClient } from './control-client.js';
import { faultNames } from './faults.js';
import { parseDuration } from './parse-duration.js';

/** What the two control commands look like. */
export const controlUsage =
  '       npm run sandbox -- clock TPP +DURATION            e.g. clock "TPP One" +2h (s, m, h or d)\n' +
  `       npm run sandbox -- fault set TPP FAULT [--times N]  ${faultNames.join(', ')}\n` +
  '       npm run sandbox -- fault clear TPP\n' +
  '       npm run sandbox -- fault list';

/**
 * Moves the time of one TPP's world, or asks for a fault in it.
 * @returns a line for the person at the terminal; undefined when it is no such command
 * @throws SandboxError
 */
export async function runControlCommand(
  directory: string,
  positionals: readonly string[],
  times: string | undefined,
): Promise<string | undefined> {
  const [area, action = '', ...rest] = positionals;
  if (area === 'clock' && rest.length === 1) return moveClock(directory, action, rest[0] ?? '');
  const [tpp = '', fault] = rest;
  if (area !== 'fault' || (action !== 'list' && tpp === '')) return undefined;
  const client = await ControlClient.open(directory);
  if (action === 'list') return JSON.stringify((await client.send('GET', '/faults'))['faults'], undefined, 2);
  const softwareId = client.softwareIdOf(tpp);
  if (action === 'clear') {
    await client.send('DELETE', `/faults/${softwareId}`);
    return `${tpp} has no faults.`;
  }
  if (action !== 'set') return undefined;
  if (!faultNames.some((name) => name === fault)) throw new SandboxError(`FAULT is one of ${faultNames.join(', ')}.`);
  if (times !== undefined && !/^[1-9]\d{0,2}$/.test(times))
    throw new SandboxError('--times is a number from 1 to 999.');
  await client.send('POST', '/faults', { softwareId, fault, ...(times !== undefined && { times: Number(times) }) });
  return `${tpp}: ${fault}, ${times === undefined ? 'until it is cleared or the sandbox stops' : `${times} time(s)`}.`;
}

async function moveClock(directory: string, tpp: string, duration: string): Promise<string> {
  const milliseconds = parseDuration(duration);
  if (milliseconds === undefined) {
    throw new SandboxError(`${duration} is no duration: a number and s, m, h or d, at most a year, e.g. +2h.`);
  }
  const client = await ControlClient.open(directory);
  const { moved } = await client.send('POST', '/time', { softwareId: client.softwareIdOf(tpp), milliseconds });
  return `${duration.replace('+', '')} have passed for ${tpp}: ${String(moved)} rows are older now. What has expired is ended within half a minute.`;
}
