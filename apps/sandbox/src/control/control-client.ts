import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { resolve } from 'node:path';
import { errorCode } from '../error-code.js';
import { repositoryRoot } from '#libs/command-line';
import { readDescription, type SandboxDescription } from '../sandbox-description.js';
import { SandboxError } from '../sandbox-error.js';
import { readControlToken } from './control-token.js';

/** Sends commands to a sandbox that runs on this machine. */
export class ControlClient {
  readonly #token: string;

  private constructor(
    private readonly description: SandboxDescription,
    token: string,
    private readonly ca: string,
  ) {
    this.#token = token;
  }

  /** @throws SandboxError if there is no sandbox */
  static async open(directory: string): Promise<ControlClient> {
    const description = await readDescription(directory);
    const token = await readControlToken(directory).catch((cause: unknown) => {
      throw new SandboxError(`No sandbox is running in ${directory}: run "npm start" first.`, { cause });
    });
    return new ControlClient(
      description,
      token,
      await readFile(resolve(repositoryRoot(), description.ca_file), 'utf8'),
    );
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
    const url = `${this.description.directory.base_url}/sandbox${path}`;
    const answer = await new Promise<{ status: number; text: string }>((done, reject) => {
      const headers = {
        authorization: `Bearer ${this.#token}`,
        ...(body && { 'content-type': 'application/json' }),
      };
      const outgoing = request(
        url,
        { method, headers, ca: this.ca, rejectUnauthorized: true, agent: false },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8');
          incoming.on('data', (chunk: string) => (text += chunk));
          incoming.on('error', reject);
          incoming.on('end', () => done({ status: incoming.statusCode ?? 0, text }));
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body && JSON.stringify(body));
    }).catch((cause: unknown) => {
      if (errorCode(cause) !== 'ECONNREFUSED') throw cause;
      throw new SandboxError('The sandbox is not running: run "npm start" first.', { cause });
    });
    if (answer.status !== 200) throw new SandboxError(`The sandbox refused (${answer.status}): ${answer.text}`);
    return JSON.parse(answer.text) as Record<string, unknown>;
  }
}
