import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Attacker, Credential, Target } from './target.js';
import type { Profile } from './verdict.js';

/** What was asked for cannot be done; the message says what to give instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `Usage: npm run ingress-check -- --auth-url URL --token-url URL --api-url URL [options]

  --certificate FILE --key FILE                  a client certificate that is accepted, and its key
  --expired-certificate FILE --expired-key FILE  one that has expired
  --revoked-certificate FILE --revoked-key FILE  one that was revoked
  --ca FILE                                      authorities of the servers' certificates, where the system's do not do
  --resolve HOST:ADDRESS[:PORT]                  connect to this address (and port) for that host; may be repeated
  --terminating                                  TLS ends at the ingress: it must refuse wrong certificates and hosts itself
  --token-instance ADDRESS:PORT, --api-instance ADDRESS:PORT
                                                 instances behind a terminating ingress, to be asked directly; may be repeated
  --instance-ca FILE                             authorities of their certificates
  --json                                         findings as JSON

Exit code 0: no hole found; 1: a hole, or a check that could not be carried out; 2: these options are not right.`;

/**
 * @param parameters of the command line
 * @throws UsageError
 */
export function parseOptions(parameters: readonly string[]): { attacker: Attacker; isJson: boolean } {
  const values = parse(parameters);
  const ways = new Map((values.resolve ?? []).map(parseWay));
  const targets: Target[] = [
    toTarget('authorize', '--auth-url', values['auth-url'], ways),
    toTarget('token', '--token-url', values['token-url'], ways),
    toTarget('api', '--api-url', values['api-url'], ways),
  ];
  const instances = [
    ...(values['token-instance'] ?? []).map((address) => toInstance(targets[1], '--token-instance', address)),
    ...(values['api-instance'] ?? []).map((address) => toInstance(targets[2], '--api-instance', address)),
  ];
  const valid = readCredential('', values.certificate, values.key);
  const expired = readCredential('expired-', values['expired-certificate'], values['expired-key']);
  const revoked = readCredential('revoked-', values['revoked-certificate'], values['revoked-key']);
  return {
    attacker: {
      targets,
      instances,
      isTerminating: values.terminating ?? false,
      ...(values.ca === undefined ? {} : { ca: readFile('--ca', values.ca) }),
      ...(values['instance-ca'] === undefined ? {} : { instanceCa: readFile('--instance-ca', values['instance-ca']) }),
      ...(valid && { valid }),
      ...(expired && { expired }),
      ...(revoked && { revoked }),
    },
    isJson: values.json ?? false,
  };
}

const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true } as const;

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      options: {
        'auth-url': text,
        'token-url': text,
        'api-url': text,
        certificate: text,
        key: text,
        'expired-certificate': text,
        'expired-key': text,
        'revoked-certificate': text,
        'revoked-key': text,
        ca: text,
        'instance-ca': text,
        resolve: list,
        'token-instance': list,
        'api-instance': list,
        terminating: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

type Way = { readonly address: string; readonly port?: number };

function toTarget(profile: Profile, option: string, value: string | undefined, ways: ReadonlyMap<string, Way>): Target {
  if (value === undefined || !URL.canParse(value) || new URL(value).protocol !== 'https:') {
    throw new UsageError(`${option} must be an https:// address${value === undefined ? '' : `, not "${value}"`}.`);
  }
  const { hostname, port } = new URL(value);
  const publicPort = port === '' ? 443 : Number(port);
  const way = ways.get(hostname);
  return {
    profile,
    host: hostname,
    port: publicPort,
    address: way?.address ?? hostname,
    connectPort: way?.port ?? publicPort,
  };
}

function toInstance(target: Target | undefined, option: string, value: string): Target {
  const [, address, port] = /^(.+):(\d{1,5})$/.exec(value) ?? [];
  if (!target || address === undefined) throw new UsageError(`${option} must be ADDRESS:PORT, not "${value}".`);
  return { ...target, address: address.replace(/^\[(.*)\]$/, '$1'), connectPort: Number(port) };
}

function parseWay(value: string): [host: string, way: Way] {
  const [, host, address, port] = /^([^:]+):(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(value) ?? [];
  if (host === undefined || address === undefined) {
    throw new UsageError(`--resolve must be HOST:ADDRESS or HOST:ADDRESS:PORT, not "${value}".`);
  }
  const plain = address.replace(/^\[(.*)\]$/, '$1');
  return [host, { address: plain, ...(port === undefined ? {} : { port: Number(port) }) }];
}

function readCredential(prefix: string, certificate?: string, key?: string): Credential | undefined {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    throw new UsageError(`--${prefix}certificate and --${prefix}key belong together.`);
  }
  return {
    certificate: readFile(`--${prefix}certificate`, certificate),
    privateKey: readFile(`--${prefix}key`, key),
  };
}

function readFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`${option}: the file ${path} cannot be read.`, { cause });
  }
}
