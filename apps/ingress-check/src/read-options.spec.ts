import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatReport } from './format-report.js';
import { CommandLineError } from '#libs/command-line';
import { createIngressCheckProgram } from './ingress-check-program.js';
import { readOptions } from './read-options.js';
import { isWholeWall, type Finding } from './verdict.js';

const urls = [
  '--auth-url=https://auth.bank.example',
  '--token-url=https://token.bank.example:9442',
  '--api-url=https://api.bank.example',
];
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parse-options-'));
  file = join(folder, 'pem');
  await writeFile(file, 'PEM');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function parseOptions(parameters: readonly string[]): Promise<ReturnType<typeof readOptions>> {
  const found: ReturnType<typeof readOptions>[] = [];
  await createIngressCheckProgram(async (program) => void found.push(readOptions(program))).run(parameters);
  return found[0]!;
}

describe('the options of the ingress check', () => {
  it('name three listeners, and where to connect to', async () => {
    const { attacker, isJson } = await parseOptions([
      ...urls,
      '--resolve=api.bank.example:[::1]:8443',
      '--json',
      '--terminating',
      '--blind-to-names',
    ]);
    expect(isJson).toBe(true);
    expect(attacker).toMatchObject({ isTerminating: true, isBlindToNames: true });
    expect(attacker.targets).toEqual([
      { profile: 'authorize', host: 'auth.bank.example', port: 443, address: 'auth.bank.example', connectPort: 443 },
      { profile: 'token', host: 'token.bank.example', port: 9442, address: 'token.bank.example', connectPort: 9442 },
      { profile: 'api', host: 'api.bank.example', port: 443, address: '::1', connectPort: 8443 },
    ]);
  });

  it('name certificates and instances', async () => {
    const { attacker } = await parseOptions([
      ...urls,
      `--certificate=${file}`,
      `--key=${file}`,
      `--ca=${file}`,
      '--api-instance=10.0.0.5:8443',
    ]);
    expect(attacker).toMatchObject({ valid: { certificate: 'PEM', privateKey: 'PEM' }, ca: 'PEM' });
    expect(attacker.instances).toEqual([
      { profile: 'api', host: 'api.bank.example', port: 443, address: '10.0.0.5', connectPort: 8443 },
    ]);
  });

  it('name the instances behind the ingress, and the limits to test', async () => {
    const { attacker } = await parseOptions([
      ...urls,
      '--auth-instance=10.0.0.4:8441',
      `--hop-certificate=${file}`,
      `--hop-key=${file}`,
      '--other-address=10.0.0.9',
      '--network-addresses=2001:db8::1,2001:db8::2',
      '--impostor=[::]:9443',
      '--patience=5',
      '--flood=2000',
      '--only=hosts,flood',
    ]);
    expect(attacker).toMatchObject({
      instances: [{ profile: 'authorize', address: '10.0.0.4', connectPort: 8441 }],
      hop: { certificate: 'PEM', privateKey: 'PEM' },
      otherAddress: '10.0.0.9',
      networkAddresses: ['2001:db8::1', '2001:db8::2'],
      impostor: { address: '::', port: 9443 },
      patienceSeconds: 5,
      floodCount: 2_000,
      only: ['hosts', 'flood'],
    });
  });

  it.each([
    [urls.slice(1), '--auth-url must be an https:// address'],
    [['--auth-url=http://auth.bank.example', ...urls.slice(1)], 'not "http://auth.bank.example"'],
    [[...urls, '--certificate=x'], 'Give both --certificate and --key, or neither'],
    [[...urls, '--certificate=/nowhere', '--key=/nowhere'], 'the file /nowhere cannot be read'],
    [[...urls, '--resolve=nonsense'], '--resolve must be'],
    [[...urls, '--api-instance=10.0.0.5'], '--api-instance must be ADDRESS:PORT'],
    [[...urls, '--hop-key=x'], 'Give both --hop-certificate and --hop-key, or neither'],
    [[...urls, '--other-address=nobody'], '--other-address must be an IP address'],
    [[...urls, '--network-addresses=2001:db8::1,10.0.0.9'], '--network-addresses must be IPv6 addresses'],
    [[...urls, '--impostor=9443'], '--impostor must be ADDRESS:PORT'],
    [[...urls, '--patience=0'], '--patience must be a number from 1 to 99999'],
    [[...urls, '--only=hosts,doors'], '"doors" must be one of tls, hosts'],
    [[...urls, '--unknown'], "'--unknown'"],
  ])('are refused with what to give instead: %j', async (parameters, message) => {
    await expect(parseOptions(parameters)).rejects.toThrow(CommandLineError);
    await expect(parseOptions(parameters)).rejects.toThrow(message);
  });
});

describe('the report', () => {
  it.each([
    ['held', true],
    ['not run', true],
    ['failed', false],
    ['hole', false],
  ] as const)('%s: safe is %s', (verdict, isSafe) => {
    expect(isWholeWall([row('held'), row(verdict)])).toBe(isSafe);
    const text = formatReport([row(verdict)]);
    expect(text).toMatch(new RegExp(`TLS 1\\.1 +${verdict} +seen`));
    expect(text).toContain(isSafe ? 'No hole found' : 'NOT SAFE');
  });
});

function row(verdict: Finding['verdict']): Finding {
  return { profile: 'api', attack: 'TLS 1.1', verdict, detail: 'seen' };
}
