import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listenForRefusals } from '#libs/http-server';
import { aTpp } from '../../support/a-tpp.js';
import { aCertificate } from '../../support/certificates.js';
import { httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { Cli } from './cli.js';
import { aWrongCertificate, readNamed, readTrust, statementWith, type World } from './fault-requests.js';
import { apiFaults, resourceFaults } from './planted-api-faults.js';
import { oauthFaults } from './planted-oauth-faults.js';

interface Finding {
  rule: string;
  section: string;
  expected: string;
  got: string;
  fix: string;
}

describe('a request that was refused', () => {
  let world: World;
  let sandbox: TestSandbox;
  let cli: Cli;

  beforeAll(async () => {
    sandbox = await startTestSandbox();
    const [tpp, other, trust] = await Promise.all([
      aTpp(sandbox),
      aTpp(sandbox, { index: 1 }),
      readTrust(sandbox.directory),
    ]);
    world = { sandbox, tpp, other, ...trust };
    cli = await Cli.create(sandbox.directory);
  });

  afterAll(async () => {
    world?.tpp.close();
    world?.other.close();
    await sandbox?.stop();
  });

  const all = [...apiFaults, ...resourceFaults, ...oauthFaults];

  it.each(all)('$fault: doctor names $rule', async ({ rule, says, plant }) => {
    const { status, headers } = await plant(world);
    expect(status).toBeGreaterThanOrEqual(300);
    const { exitCode, json } = await cli.run('why', String(headers['x-fapi-interaction-id']), '--json');
    expect(exitCode).toBe(0);
    const findings = json()['findings'] as Finding[];
    expect(findings.map((finding) => finding.rule)).toContain(rule);
    expect(findings[0]?.rule).toBe(rule);
    for (const { section, fix, expected, got } of findings) {
      expect([section.length > 3, fix.length > 10]).toEqual([true, true]);
      expect(got).not.toBe(expected);
      // Each says something of its own.
      expect([expected, got]).not.toContain('not so');
    }
    if (says) expect(`${findings[0]?.expected} ${findings[0]?.got}`).toMatch(says);
  });

  it('there are at least 25 of them, all different', () => {
    expect(new Set(all.map(({ fault }) => fault)).size).toBeGreaterThanOrEqual(25);
  });

  it('is explained by doctor --request, too, beside the checks', async () => {
    const { headers } = await world.tpp.get('/file-payment-consents/x');
    const { out } = await cli.run('doctor', '--request', String(headers['x-fapi-interaction-id']));
    expect(out).toContain('[consent.not-found]');
    expect(out).toContain('[certificate.expired]');
  });

  it('cites the version of the request', async () => {
    const { agent, accessToken } = world.tpp;
    const url = `${sandbox.description.base_url}/open-banking/v4.0/pisp/file-payment-consents/x`;
    const { headers } = await httpsRequest({ url, agent, headers: { authorization: `Bearer ${accessToken}` } });
    const { out } = await cli.done('why', String(headers['x-fapi-interaction-id']));
    expect(out).toContain('Read/Write profile 4.0, resource identifiers');
    expect(out).not.toContain('Read/Write profile 3.1');
  });

  it('why without an id explains the last one of ours', async () => {
    await cli.done('register');
    await cli.run('upload', 'docs/examples/three-payments.json', '--consent', randomUUID());
    expect((await cli.done('why')).out).toContain('[consent.not-found]');
  });

  it('an id without a refusal is reported as such', async () => {
    const { exitCode, err } = await cli.run('why', randomUUID());
    expect(exitCode).toBe(1);
    expect(err).toContain('has no refused request');
  });

  it('shows neither token, secret nor assertion', async () => {
    const { accessToken } = world.other;
    const response = await world.tpp.get('/file-payment-consents/x', { accessToken });
    const { out } = await cli.done('why', String(response.headers['x-fapi-interaction-id']), '--json');
    expect(out).toContain('token.certificate');
    expect(out).not.toContain(accessToken);
  });

  it('is known to the sandbox alone: the services have no such address', async () => {
    const { agent } = world.tpp;
    for (const origin of [sandbox.description.base_url, new URL(sandbox.description.token_endpoint).origin]) {
      expect((await httpsRequest({ url: `${origin}/sandbox/refusals/${randomUUID()}`, agent })).status).toBe(404);
    }
    // After it stops listening, it receives nothing more.
    let heard = 0;
    listenForRefusals(() => (heard += 1))();
    await world.tpp.get('/file-payment-consents/x');
    expect(heard).toBe(0);
  });

  describe('doctor without a request', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'doctor-'));
    });

    /** A profile like the sandbox's first TPP, with the differences of a test. */
    const profileWith = async (tpp: object, members: object = {}): Promise<string> => {
      const { description } = sandbox;
      const [own] = description.tpps;
      const files = Object.entries(own ?? {}).filter(([name]) => name.endsWith('_file'));
      const absolute = Object.fromEntries(files.map(([name, file]) => [name, resolve(String(file))]));
      const file = join(folder, `${randomUUID()}.json`);
      const content = {
        discovery_uri: description.discovery_uri,
        ca_file: resolve(description.ca_file),
        client_ca_file: resolve(description.ca_file),
        directory_jwks_uri: description.directory.jwks_uri,
        tpp: { ...own, ...absolute, ...tpp },
        ...members,
      };
      await writeFile(file, JSON.stringify(content));
      return file;
    };

    const problemsOf = async (tpp: object, members: object = {}): Promise<string[]> => {
      const run = await cli.run('doctor', '--json', '--profile', await profileWith(tpp, members));
      const { checks } = run.json() as { checks: { check: string; outcome: string }[] };
      const problems = checks.filter(({ outcome }) => outcome === 'problem').map(({ check }) => check);
      expect(run.exitCode).toBe(problems.length === 0 ? 0 : 1);
      return problems;
    };

    const write = async (name: string, content: string): Promise<string> => {
      const file = join(folder, `${randomUUID()}-${name}`);
      await writeFile(file, content);
      return file;
    };

    it.each([[], ['--version', '4.0']])(
      'finds no fault in a TPP of the sandbox, and says how its certificate is read (%s)',
      async (...version) => {
        await cli.done('domestic-payment', 'consent', '--version', '3.1');
        const { out, exitCode } = await cli.run('doctor', ...version);
        expect(out).toMatch(
          /ok +Domestic payments are served, and answers signed\. \[domestic-payment\]\n +v3\.1, consent /,
        );
        expect(out).toContain('Nothing is wrong.');
        expect(exitCode).toBe(0);
        expect(out).toContain(sandbox.description.tpps[0]?.software_id);
      },
    );

    it('a certificate of another authority: its authority, and both listeners that refuse it', async () => {
      const other = await aCertificate({ profile: 'authority', name: 'Some other authority' });
      const wrong = await aWrongCertificate(world, { issuer: other });
      const problems = await problemsOf({
        transport_cert_file: await write('certificate.pem', wrong.certificate),
        transport_key_file: await write('key.pem', wrong.privateKey),
      });
      expect(problems).toEqual(['certificate.authority', 'tls.token_endpoint']);
    });

    it('an expired certificate', async () => {
      const past = { issuer: world.authority, now: new Date(Date.now() - 40 * 86_400_000), days: 30 };
      const wrong = await aWrongCertificate(world, past);
      const problems = await problemsOf({
        transport_cert_file: await write('certificate.pem', wrong.certificate),
        transport_key_file: await write('key.pem', wrong.privateKey),
      });
      expect(problems).toEqual(['certificate.expired', 'tls.token_endpoint']);
    });

    it('a certificate of another TPP', async () => {
      const [, other] = sandbox.description.tpps;
      expect(
        await problemsOf({
          transport_cert_file: resolve(other?.transport_cert_file ?? ''),
          transport_key_file: resolve(other?.transport_key_file ?? ''),
        }),
      ).toEqual(['certificate.names']);
    });

    it('a wrong kid, and a key that is not published', async () => {
      expect(await problemsOf({ signing_kid: 'nobody' })).toContain('keys.kid');
      const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
      const file = await write('signing.pem', key.export({ type: 'pkcs8', format: 'pem' }).toString());
      expect(await problemsOf({ signing_key_file: file, signing_kid: 'new' })).toEqual(['keys.unpublished', 'jws.raw']);
    });

    it('a key set that cannot be had', async () => {
      const problems = await problemsOf({ jwks_uri: `${sandbox.description.directory.base_url}/nowhere.jwks` });
      expect(problems).toEqual(['software-statement.jwks', 'keys.reachable']);
    });

    it('an expired software statement, and one that the directory did not sign', async () => {
      const expired = await statementWith(world, { exp: 1_000 });
      expect(await problemsOf({ software_statement_file: await write('statement.jwt', expired) })).toEqual([
        'software-statement.exp',
      ]);
      const own = (await readNamed(sandbox.description.tpps[0]?.software_statement_file)).trim();
      const changed = await write('statement.jwt', `${own.slice(0, -8)}AAAAAAAA`);
      expect(await problemsOf({ software_statement_file: changed })).toEqual(['software-statement.signature']);
    });

    it('a redirect address that is missing in the software statement', async () => {
      expect(await problemsOf({ redirect_uris: ['https://elsewhere.example/cb'] })).toContain(
        'software-statement.redirect_uris',
      );
    });

    it('a clock that is two minutes off', async () => {
      const late = await Cli.create(sandbox.directory);
      late.now = () => new Date(Date.now() - 120_000);
      const { out, exitCode } = await late.run('doctor');
      expect(exitCode).toBe(1);
      expect(out).toMatch(
        /problem {2}Our clock and the bank’s agree\. \[clock\][\s\S]*got {6}ours is 1[12]\d s behind/,
      );
    });

    it('a server that we do not trust', async () => {
      const other = await aCertificate({ profile: 'authority', name: 'Some other authority' });
      const ca = await write('ca.pem', other.certificate);
      const problems = await problemsOf({}, { ca_file: ca });
      expect(problems).toContain('discovery');
    });

    it('a registration that is gone', async () => {
      expect(await problemsOf({}, { client_id: randomUUID() })).toEqual(['registration']);
    });
  });
});
