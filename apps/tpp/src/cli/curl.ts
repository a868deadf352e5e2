import type { HttpsRequest } from '../https-client.js';
import type { StateFolder } from '../profile/state.js';

/** Ends a command that has shown its request instead of sending it. This is no failure. */
export class ShownInstead extends Error {
  override readonly name = 'ShownInstead';
}

/**
 * A request as a curl command. It contains no secrets: token and body are in files that only their owner can read;
 * certificate and key are named by path.
 * @param options.files certificate, key and authority
 */
export async function toCurl(
  request: HttpsRequest,
  options: { folder: StateFolder; files: { cert: string; key: string; ca: string | undefined } },
): Promise<string> {
  const { folder, files } = options;
  const parts = ['curl', '--silent', '--show-error', '--include'];
  if (files.ca !== undefined) parts.push('--cacert', quote(files.ca));
  parts.push('--cert', quote(files.cert), '--key', quote(files.key));
  if (request.method !== 'GET') parts.push('--request', request.method);
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    for (const one of [value].flat()) parts.push('--header', await toHeader(name, one, folder));
  }
  if (request.body !== undefined) parts.push('--data-binary', quote(`@${await folder.write('body', request.body)}`));
  return [...parts, quote(request.url)].join(' ');
}

async function toHeader(name: string, value: string, folder: StateFolder): Promise<string> {
  if (name.toLowerCase() !== 'authorization') return quote(`${name}: ${value}`);
  return quote(`@${await folder.write('authorization-header', `Authorization: ${value}\n`)}`);
}

/** For a POSIX shell. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
