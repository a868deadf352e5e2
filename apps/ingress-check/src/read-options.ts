import { readFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { CommandLineError, type CommandLineProgram } from '#libs/command-line';
import {
  announcedAddress,
  attackGroups,
  type AttackGroup,
  type Attacker,
  type Credential,
  type Target,
} from './target.js';
import type { Profile } from './verdict.js';

/**
 * @param program that has read a command line
 * @throws CommandLineError
 */
export function readOptions(program: CommandLineProgram): { attacker: Attacker; isJson: boolean } {
  const { one: values, many, has } = optionsOf(program);
  const ways = new Map((many['resolve'] ?? []).map(parseWay));
  const targets: Target[] = [
    toTarget('authorize', '--auth-url', values['auth-url'], ways),
    toTarget('token', '--token-url', values['token-url'], ways),
    toTarget('api', '--api-url', values['api-url'], ways),
  ];
  const announced = has('proxy-protocol') ? { announced: announcedAddress } : {};
  const instances = [
    ...(many['auth-instance'] ?? []).map((address) => toInstance(targets[0], '--auth-instance', address)),
    ...(many['token-instance'] ?? []).map((address) => toInstance(targets[1], '--token-instance', address)),
    ...(many['api-instance'] ?? []).map((address) => toInstance(targets[2], '--api-instance', address)),
  ].map((instance) => ({ ...instance, ...announced }));
  const valid = readCredential('', values['certificate'], values['key']);
  const expired = readCredential('expired-', values['expired-certificate'], values['expired-key']);
  const revoked = readCredential('revoked-', values['revoked-certificate'], values['revoked-key']);
  const hop = readCredential('hop-', values['hop-certificate'], values['hop-key']);
  const { 'other-address': otherAddress, impostor, patience, flood, only } = values;
  if (otherAddress !== undefined && isIP(otherAddress) === 0) {
    throw new CommandLineError(`--other-address must be an IP address, not "${otherAddress}".`);
  }
  const networkAddresses = values['network-addresses']?.split(',');
  if (networkAddresses?.every((address) => isIPv6(address)) === false) {
    throw new CommandLineError(`--network-addresses must be IPv6 addresses, not "${values['network-addresses']}".`);
  }
  return {
    attacker: {
      targets,
      instances,
      isTerminating: has('terminating'),
      isBlindToNames: has('blind-to-names'),
      ...(values['ca'] === undefined ? {} : { ca: readFile('--ca', values['ca']) }),
      ...(values['instance-ca'] === undefined ? {} : { instanceCa: readFile('--instance-ca', values['instance-ca']) }),
      ...(valid && { valid }),
      ...(expired && { expired }),
      ...(revoked && { revoked }),
      ...(hop && { hop }),
      ...(otherAddress === undefined ? {} : { otherAddress }),
      ...(networkAddresses === undefined ? {} : { networkAddresses }),
      ...(impostor === undefined ? {} : { impostor: parseAddress('--impostor', impostor) }),
      ...(patience === undefined ? {} : { patienceSeconds: parseCount('--patience', patience) }),
      ...(flood === undefined ? {} : { floodCount: parseCount('--flood', flood) }),
      ...(only === undefined ? {} : { only: parseGroups(only) }),
    },
    isJson: has('json'),
  };
}

/** The options by their names. */
interface Values {
  readonly [name: string]: string | undefined;
}

function optionsOf(program: CommandLineProgram): {
  one: Values;
  many: Readonly<Record<string, string[]>>;
  has: (name: string) => boolean;
} {
  const given = program.opts<Record<string, unknown>>();
  const values = program.options.map((option) => [option.name(), given[option.attributeName()]] as const);
  return {
    one: Object.fromEntries(values.filter(([, value]) => typeof value === 'string')) as Values,
    many: Object.fromEntries(values.filter(([, value]) => Array.isArray(value))) as Record<string, string[]>,
    has: (name) => values.some(([each, value]) => each === name && value === true),
  };
}

type Way = { readonly address: string; readonly port?: number };

function toTarget(profile: Profile, option: string, value: string | undefined, ways: ReadonlyMap<string, Way>): Target {
  if (value === undefined || !URL.canParse(value) || new URL(value).protocol !== 'https:') {
    throw new CommandLineError(
      `${option} must be an https:// address${value === undefined ? '' : `, not "${value}"`}.`,
    );
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
  const { address, port } = parseAddress(option, value);
  if (!target) throw new CommandLineError(`${option} is not the address of a listener.`);
  return { ...target, address, connectPort: port };
}

function parseAddress(option: string, value: string): { address: string; port: number } {
  const [, address, port] = /^(.+):(\d{1,5})$/.exec(value) ?? [];
  if (address === undefined) throw new CommandLineError(`${option} must be ADDRESS:PORT, not "${value}".`);
  return { address: address.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

function parseCount(option: string, value: string): number {
  if (!/^[1-9]\d{0,4}$/.test(value))
    throw new CommandLineError(`${option} must be a number from 1 to 99999, not "${value}".`);
  return Number(value);
}

function parseGroups(value: string): AttackGroup[] {
  return value.split(',').map((name) => {
    const group = attackGroups.find((candidate) => candidate === name);
    if (!group) throw new CommandLineError(`--only: "${name}" must be one of ${attackGroups.join(', ')}.`);
    return group;
  });
}

function parseWay(value: string): [host: string, way: Way] {
  const [, host, address, port] = /^([^:]+):(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(value) ?? [];
  if (host === undefined || address === undefined) {
    throw new CommandLineError(`--resolve must be HOST:ADDRESS or HOST:ADDRESS:PORT, not "${value}".`);
  }
  const plain = address.replace(/^\[(.*)\]$/, '$1');
  return [host, { address: plain, ...(port === undefined ? {} : { port: Number(port) }) }];
}

function readCredential(prefix: string, certificate?: string, key?: string): Credential | undefined {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    throw new CommandLineError(`Give both --${prefix}certificate and --${prefix}key, or neither.`);
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
    throw new CommandLineError(`${option}: the file ${path} cannot be read.`, { cause });
  }
}
