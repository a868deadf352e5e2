// What every shipped deployment gives the API, and how it starts it: read from compose.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

const compose = load(readFileSync(join(import.meta.dirname, '..', '..', 'deploy', 'compose.yaml'), 'utf8'));

/** The most memory of a process, in MiB. */
export const memoryLimit = Number.parseInt(compose['x-service'].mem_limit);

export const apiCommand = compose.services.api.command;

/** @returns the most memory that a process has had, in MiB */
export function peakMegabytes(pid) {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}
