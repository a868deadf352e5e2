import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runSandboxCommand } from '../../support/apps/commands.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { freePort } from '../../support/free-port.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { Cli } from './cli.js';

const file = 'docs/examples/three-payments.json';
const file40 = 'docs/examples/three-payments-4.0.json';
const execute = promisify(execFile);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe("the TPP's command line", () => {
  let sandbox: TestSandbox;
  let cli: Cli;

  beforeAll(async () => {
    sandbox = await startTestSandbox();
    cli = await Cli.create(sandbox.directory);
  });

  afterAll(async () => {
    await sandbox?.stop();
  });

  const stateFolder = (): string => join(sandbox.directory, 'tpp', sandbox.description.tpps[0]?.software_id ?? '');

  const registered = async (...choices: string[]): Promise<unknown> => {
    await cli.done('register', ...choices);
    return (await cli.done('register', '--read', '--json')).json()['registration'];
  };

  const one = (...parameters: string[]) => cli.done('domestic-payment', ...parameters);

  const check = async (content: Buffer | string): Promise<Record<string, unknown> & { exitCode: number }> => {
    const path = join(cli.folder, 'check.json');
    await writeFile(path, content);
    const { exitCode, json } = await cli.run('check-file', path, '--json');
    return { ...json(), exitCode };
  };

  describe('a payment in eight commands', () => {
    it('registers, and keeps the client in a file of its owner alone', async () => {
      const { out } = await cli.done('register');
      expect(out).toMatch(/^Registered: client id [0-9a-f-]{36}/);
      expect((await stat(join(stateFolder(), 'state.json'))).mode & 0o777).toBe(0o600);
      expect((await stat(stateFolder())).mode & 0o777).toBe(0o700);
    });

    it('registers nothing for a folder that cannot keep the state, and leaves the mode of another as it is', async () => {
      const { rows: before } = await sandbox.database.query('SELECT client_id FROM clients');
      const { exitCode, err } = await cli.run('register', '--state', '/proc/nowhere/state');
      const sentence =
        /^register: the folder \/proc\/nowhere\/state cannot keep the state \(.*\): name another with --state$/m;
      expect([exitCode, err]).toEqual([1, expect.stringMatching(sentence)]);
      const { rows: after } = await sandbox.database.query('SELECT client_id FROM clients');
      expect(after).toHaveLength(before.length);
      const folder = await mkdtemp(join(cli.folder, 'state-'));
      await chmod(folder, 0o755);
      await cli.done('register', '--state', folder);
      const names = await readdir(folder);
      expect([names, (await stat(folder)).mode & 0o777]).toEqual([['state.json'], 0o755]);
      expect((await stat(join(folder, 'state.json'))).mode & 0o777).toBe(0o600);
    });

    it('gets a token without showing it', async () => {
      const { out } = await cli.done('token');
      const { token } = JSON.parse(await readFile(join(stateFolder(), 'state.json'), 'utf8')) as {
        token: { value: string };
      };
      expect(out).toMatch(/^Token for payments/);
      expect(out).not.toContain(token.value);
    });

    it('stages the consent of a file, and uploads it', async () => {
      const { exitCode, err } = await cli.run('consent', file, '--version', '4.0');
      expect([exitCode, err]).toEqual([1, expect.stringContaining('is not a payment file of v4.0: 3 problems; see ')]);
      expect((await cli.done('consent', file)).out).toContain('3 payments, 205.45 GBP in all');
      expect((await cli.done('upload')).out).toContain('AwaitingAuthorisation');
    });

    it('has a customer of the sandbox approve it', async () => {
      const { out, err } = await cli.done('authorise', '--as', 'alice', '--acr', 'urn:openbanking:psd2:sca');
      expect(out).toContain('alice approved');
      const reads = /alice has signed in and reads: (.*)/.exec(err)?.[1] ?? '';
      expect(reads).toMatch(
        /^Summary £205\.45 in 3 payments .* Requested by TPP One, TPP One Ltd \(registration .* …$/,
      );
      expect(reads.length).toBeLessThanOrEqual(202);
    });

    it('pays, waits, and reads the report', async () => {
      expect((await cli.done('pay')).out).toContain('InitiationPending');
      expect((await cli.done('status', '--wait')).out).toContain('InitiationCompleted');
      const { json } = await cli.done('report', '--json');
      const outcome = { PaymentId: expect.any(String), Status: 'AcceptedCreditSettlementCompleted' };
      expect(json()).toMatchObject({
        status: 'InitiationCompleted',
        payments: { AcceptedCreditSettlementCompleted: 3 },
        outcomes: [outcome, outcome, outcome],
      });
      const rows = (await cli.done('report')).out.matchAll(/^\w{32}  (\S+)  AcceptedCreditSettlementCompleted$/gm);
      expect([...rows].map(([, own]) => own)).toEqual(['RUN-0001', 'RUN-0002', 'RUN-0003']);
      expect((await cli.done('status', '--consent', 'last', '--json')).json()).toMatchObject({ status: 'Consumed' });
    });
  });

  describe('a payment by v4.0', () => {
    it('goes the same way, and the commands remember the version', async () => {
      const { out } = await cli.done('consent', file40, '--version', '4.0');
      expect(out).toContain('AWUP');
      expect((await cli.done('upload')).out).toContain('AWAU');
      await cli.done('authorise', '--as', 'alice');
      expect((await cli.done('pay')).out).toContain('PDNG');
      expect((await cli.done('status', '--wait')).out).toContain('INCO');
      const { json } = await cli.done('report', '--json');
      expect(json()).toMatchObject({ status: 'INCO', payments: { ACCC: 3 } });
      expect((await cli.done('status', '--consent', 'last', '--json')).json()).toMatchObject({ status: 'COND' });
    });

    it('cannot be paid by v3.1, which the next consent may have', async () => {
      const { exitCode, err } = await cli.run('pay', '--version', '3.1');
      expect([exitCode, err]).toEqual([1, expect.stringContaining('v3.1 accepts UK.OBIE.PaymentInitiation.3.1 files')]);
      const { json } = await cli.done('consent', file, '--version', '3.1', '--json');
      expect(json()).toMatchObject({ status: 'AwaitingUpload' });
      expect((await cli.done('upload')).out).toContain('AwaitingAuthorisation');
    });
  });

  describe('what was done before', () => {
    it('list says where each consent is, in its own version', async () => {
      const { consents } = (await cli.done('list', '--json')).json() as { consents: Record<string, string>[] };
      const told = consents.map(({ version, payments, status, payment_order_id: id }) => [
        version,
        payments,
        status,
        id,
      ]);
      expect(told).toEqual([
        ['3.1', 'three-payments.json', 'InitiationCompleted', expect.stringMatching(uuid)],
        ['4.0', 'three-payments-4.0.json', 'INCO', expect.stringMatching(uuid)],
        ['3.1', 'three-payments.json', 'AwaitingAuthorisation', undefined],
      ]);
      const { out } = await cli.done('list', '--last', '1');
      expect(out.trimEnd().split('\n')).toEqual([
        expect.stringMatching(/^staged +version +payments +consent +payment +status$/),
        expect.stringMatching(/ 3\.1 +three-payments\.json .* AwaitingAuthorisation$/),
      ]);
    });

    it('history names the requests, and with --refused only what the bank refused', async () => {
      await cli.run('status', '--payment', '00000000-0000-4000-8000-000000000000');
      const { requests } = (await cli.done('history', '--refused', '--json')).json() as {
        requests: Record<string, unknown>[];
      };
      expect(requests.at(-1)).toMatchObject({
        method: 'GET',
        status: 400,
        path: expect.stringContaining('/file-payments/00000000-0000-4000-8000-000000000000'),
        interaction_id: expect.stringMatching(uuid),
      });
      const last = (await cli.done('history', '--last', '3', '--json')).json() as { requests: { at: string }[] };
      // Of one command, each at its own time.
      expect(new Set(last.requests.map(({ at }) => at)).size).toBeGreaterThan(1);
      const { out } = await cli.done('history', '--last', '2');
      expect(out.trimEnd().split('\n')).toHaveLength(3);
      expect(await cli.run('history', '--last', '0')).toMatchObject({ exitCode: 2 });
    });
  });

  describe('a single payment', () => {
    const refund = { Identification: '20000112345678', Name: 'Archer Payroll' };

    it.each([
      ['3.1', ['AwaitingAuthorisation', 'Pending', 'AcceptedCreditSettlementCompleted', 'Consumed']],
      ['4.0', ['AWAU', 'RCVD', 'ACCC', 'COND']],
    ] as const)('is made by v%s, with its funds, the account for refunds and details', async (version, states) => {
      const [waiting, taken, credited, consumed] = states;
      const staged = await one('consent', '--amount', '12.34', '--refund', '--version', version);
      expect(staged.out).toMatch(new RegExp(`^Consent .*: ${waiting}\n12\\.34 GBP to Northern Paper Ltd\n$`));
      // The hint leads to this consent, whatever is staged meanwhile.
      await cli.done('access-consent');
      const hint = /there is no valid token .*tpp -- authorise --consent ([\da-f-]{36})"/;
      const [, consentId = ''] = hint.exec((await cli.run('domestic-payment', 'funds-confirmation')).err) ?? [];
      expect((await cli.run('domestic-payment', 'pay')).err).toMatch(hint);
      await cli.done('authorise', '--consent', consentId, '--as', 'alice');
      expect((await one('funds-confirmation')).out).toContain('the money is available');
      const paid = (await one('pay', '--json')).json();
      expect(paid).toMatchObject({ status: taken, refund_account: refund });
      expect((await one('status', '--wait', '--json')).json()).toMatchObject({
        status: credited,
        refund_account: refund,
      });
      expect((await one('details')).out).toMatch(new RegExp(`^2.*Z?  ${credited}`));
      expect((await one('status', '--consent', 'last')).out).toContain(`: ${consumed}`);
      const { consents } = (await cli.done('list', '--last', '1', '--json')).json() as { consents: unknown[] };
      expect(consents).toMatchObject([
        { kind: 'domestic-payment', payments: '12.34 GBP to Northern Paper Ltd', status: credited },
      ]);
      // The file before it is still the last file.
      expect((await cli.done('status', '--consent', 'last')).out).toContain(': AwaitingAuthorisation');
    });

    it('is refused with codes and places, which why explains', async () => {
      const again = await cli.run('domestic-payment', 'pay');
      expect([again.exitCode, again.err]).toEqual([1, expect.stringContaining('U029 Data.Status: ')]);
      const { out } = await one('why');
      expect(out).toContain('[consent.status]');
      expect(out).not.toMatch(/says: (.+\.) \1$/m);
      const initiation = join(cli.folder, 'initiation.json');
      await writeFile(initiation, JSON.stringify({ InstructedAmount: { Amount: '1.00', Currency: 'EUR' } }));
      const { err } = await cli.run('domestic-payment', 'consent', initiation, '--version', '3.1');
      expect(err).toContain('UK.OBIE.Field.Missing Data.Initiation.CreditorAccount: ');
      expect((await cli.run('domestic-payment', 'consent', '--to', '1')).exitCode).toBe(2);
      const both = await cli.run('domestic-payment', 'consent', initiation, '--amount', '2.00');
      expect([both.exitCode, both.err]).toEqual([
        2,
        expect.stringContaining('the file has the payment: omit --amount'),
      ]);
    });
  });

  describe('accounts', () => {
    it.each(['3.1', '4.0'])(
      'are read by v%s in four commands, and no longer when the consent is withdrawn',
      async (version) => {
        await cli.done('register');
        const staged = (await cli.done('access-consent', '--version', version, '--json')).json();
        expect(staged).toMatchObject({
          status: version === '3.1' ? 'AwaitingAuthorisation' : 'AWAU',
          permissions: ['ReadAccountsDetail', 'ReadBalances'],
        });
        expect((await cli.run('accounts')).err).toContain('there is no valid token from the customer');
        const { out } = await cli.done('authorise', '--as', 'alice', '--account', 'Archer Suppliers');
        expect(out).toContain('alice approved: Archer Suppliers.');
        const { accounts } = (await cli.done('accounts', '--json')).json() as { accounts: { AccountId: string }[] };
        expect(accounts).toEqual([
          expect.objectContaining({ Account: [expect.objectContaining({ Identification: '20000187654321' })] }),
        ]);
        const accountId = accounts[0]?.AccountId ?? '';
        expect((await cli.done('accounts', accountId)).out).toBe(`${accountId} GBP 20000187654321 Archer Suppliers\n`);
        expect((await cli.done('balances')).out).toContain(
          `${accountId} ${version === '3.1' ? 'InterimBooked' : 'ITBD'}: `,
        );
        expect((await cli.done('access-consent', '--withdraw')).out).toContain('is withdrawn');
        expect((await cli.run('accounts')).exitCode).toBe(1);
        await cli.done('consent', file, '--version', '3.1');
        await cli.done('upload');
        await cli.done('authorise', '--as', 'alice');
        expect((await cli.done('pay')).out).toContain('InitiationPending');
      },
    );

    it('say what is not permitted', async () => {
      await cli.done('access-consent', '--permissions', 'ReadAccountsBasic', '--until', '2037-01-01T00:00:00+00:00');
      await cli.done('authorise', '--as', 'alice');
      expect((await cli.done('accounts')).out).toMatch(/^[0-9a-f-]{36} GBP\n$/);
      const { exitCode, err } = await cli.run('balances');
      expect([exitCode, err]).toEqual([1, expect.stringContaining('The customer did not permit it: ReadBalances.')]);
      expect((await cli.run('access-consent', '--permissions', 'ReadNothing')).err).toContain('Data.Permissions');
    });
  });

  describe('register --refresh', () => {
    it('registers for refresh tokens, which then come with access to accounts', async () => {
      const grant_types = ['client_credentials', 'authorization_code'];
      expect(await registered()).toMatchObject({ grant_types });
      expect(await registered('--refresh')).toMatchObject({ grant_types: [...grant_types, 'refresh_token'] });
      await cli.done('access-consent');
      await cli.done('authorise', '--as', 'alice');
      const { rows } = await sandbox.database.query<{ client_id: string }>(
        'SELECT client_id::text FROM refresh_grants WHERE client_id = $1',
        [JSON.parse(await readFile(join(stateFolder(), 'state.json'), 'utf8')).clientId],
      );
      expect(rows).toHaveLength(1);
    });
  });

  describe('funds', () => {
    it.each(['3.1', '4.0'])(
      'are asked about by v%s in three commands, until the consent is withdrawn',
      async (version) => {
        await cli.done('register');
        const staged = (await cli.done('funds-consent', '--version', version, '--json')).json();
        expect(staged).toMatchObject({
          status: version === '3.1' ? 'AwaitingAuthorisation' : 'AWAU',
          account: '20000112345678',
        });
        expect((await cli.run('funds', '20.00')).err).toContain('there is no valid token from the customer');
        await cli.done('authorise', '--as', 'alice');
        expect((await cli.done('funds', '20.00')).out).toBe('20.00 GBP: available\n');
        const none = (await cli.done('funds', '9999999999.00', '--reference', 'Yacht', '--json')).json();
        expect(none).toMatchObject({ available: false, funds_confirmation_id: expect.stringMatching(uuid) });
        expect((await cli.run('funds', '1.001')).exitCode).toBe(1);
        expect((await cli.done('funds-consent', '--withdraw')).out).toContain('is withdrawn');
        expect((await cli.run('funds', '20.00')).exitCode).toBe(1);
      },
    );
  });

  describe('tokens that ended before their time', () => {
    it('are replaced by every command that meets one, the token of the approval included', async () => {
      await cli.done('consent', file);
      await cli.done('upload');
      await cli.done('authorise', '--as', 'alice', '--jarm');
      await letTimePass(sandbox);
      const { out, err } = await cli.done('pay');
      expect(out).toContain('InitiationPending');
      expect(err).toContain("the token of the customer's approval has ended");
      await letTimePass(sandbox);
      await cli.done('register', '--read');
      await letTimePass(sandbox);
      await cli.done('status', '--wait');
    });

    it('are not sent where they were made for something else', async () => {
      const path = join(stateFolder(), 'state.json');
      await cli.done('token');
      expect((await cli.done('status')).err).toBe('');
      const state = JSON.parse(await readFile(path, 'utf8')) as { token: { scope: string } };
      await writeFile(path, JSON.stringify({ ...state, token: { ...state.token, scope: 'accounts' } }));
      expect((await cli.done('status')).err).toContain('getting a token');
    });
  });

  describe('a client with a FAPI 2.0 profile', () => {
    let earlier: Buffer;

    beforeAll(async () => (earlier = await readFile(join(stateFolder(), 'state.json'))));
    afterAll(() => writeFile(join(stateFolder(), 'state.json'), earlier));

    it.each([
      ['fapi2-security', 'private_key_jwt', false],
      ['fapi2-security', 'tls_client_auth', true],
      ['fapi2-message-signing', 'private_key_jwt', true],
    ] as const)('%s by %s pushes its requests, and pays (JARM: %s)', async (profile, method, isJarm) => {
      const jarm = isJarm ? ['--jarm'] : [];
      await cli.done('register', '--fapi', profile, '--auth-method', method, ...jarm);
      expect((await cli.done('register', '--read', '--json')).json()).toMatchObject({
        registration: { fapi_profile: profile, response_types: ['code'] },
      });
      await cli.done('consent', file);
      await cli.done('upload');
      const { out } = await cli.done('authorise', ...jarm);
      const query = new URL(/^https:.*$/m.exec(out)?.[0] ?? '').searchParams;
      expect([...query.keys()]).toEqual(['client_id', 'request_uri']);
      await cli.done('authorise', '--as', 'alice', ...jarm);
      expect((await cli.done('pay')).out).toContain('InitiationPending');
    });

    it('cannot have a profile that does not exist', async () => {
      expect(await cli.run('register', '--fapi', 'fapi3')).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining('--fapi must be fapi1-advanced, fapi2-security or fapi2-message-signing'),
      });
    });
  });

  describe('what a command says of a refusal', () => {
    it('names the status, the body and the interaction id, and ends with 1', async () => {
      const { exitCode, err } = await cli.run('upload');
      expect(exitCode).toBe(1);
      expect(err).toContain('400');
      expect(err).toContain('UK.OBIE.Resource.InvalidConsentStatus');
      expect(err).toMatch(/Why: npm run tpp -- why [0-9a-f-]{36}/);
    });

    it('ends with 2 where it was used wrongly, and with 1 where nothing answers', async () => {
      for (const parameters of [
        ['consent'],
        ['consent', file, '--date', '5/1'],
        ['nonsense'],
        ['token', '--unknown'],
        ['sign', file, '--curl'],
      ]) {
        const { exitCode, err } = await cli.run(...parameters);
        expect([parameters, exitCode]).toEqual([parameters, 2]);
        expect(err).not.toMatch(/\n\s+at /);
      }
      const profile = join(cli.folder, 'nobody.json');
      const [tpp] = sandbox.description.tpps;
      await writeFile(profile, JSON.stringify({ discovery_uri: 'https://127.0.0.1:9/x', tpp: absolute(tpp) }));
      const { exitCode, err } = await cli.run('register', '--profile', profile);
      expect([exitCode, err]).toEqual([
        1,
        expect.stringMatching(/discovery_uri of the profile right \(https:\/\/127\.0\.0\.1:9\/x\)/),
      ]);
    });

    it('lists what a profile file lacks', async () => {
      const profile = join(cli.folder, 'empty.json');
      await writeFile(profile, '{}');
      const { exitCode, err } = await cli.run('token', '--profile', profile);
      expect(exitCode).toBe(1);
      expect(err).toContain('discovery_uri');
      expect(err).toContain('tpp.signing_kid');
    });
  });

  describe('options of every command', () => {
    it('works by a profile file, too', async () => {
      const { description } = sandbox;
      const profile = join(cli.folder, 'bank.json');
      const content = {
        discovery_uri: description.discovery_uri,
        ca_file: join(process.cwd(), description.ca_file),
        tpp: absolute(description.tpps[1]),
      };
      await writeFile(profile, JSON.stringify(content));
      expect((await cli.done('register', '--profile', profile, '--auth-method', 'tls_client_auth')).out).toContain(
        'tls_client_auth',
      );
      await cli.done('token', '--profile', profile);
      const { json } = await cli.done('register', '--read', '--profile', profile, '--json');
      expect(json()['registration']).toMatchObject({ software_id: description.tpps[1]?.software_id });
      expect(JSON.stringify(json())).not.toContain('client_secret"');
      await cli.done('register', '--delete', '--profile', profile);
      expect((await cli.run('token', '--profile', profile)).exitCode).toBe(1);
    });

    it('--curl shows a request that works as it stands, without a secret in it, and sends nothing itself', async () => {
      const before = await readFile(join(stateFolder(), 'state.json'), 'utf8');
      const { out } = await cli.done('consent', file, '--curl', '--date', '2037-01-05');
      const state = JSON.parse(before) as { token: { value: string }; 'file-payment': { consentId: string } };
      expect(out).not.toContain(state.token.value);
      const after = JSON.parse(await readFile(join(stateFolder(), 'state.json'), 'utf8')) as typeof state;
      expect(after['file-payment'].consentId).toBe(state['file-payment'].consentId);
      const { stdout } = await execute('sh', ['-c', out]);
      expect(stdout).toMatch(/^HTTP\/1\.1 201/);
      expect(stdout).toContain('"AwaitingUpload"');
      expect(stdout).toContain('"RequestedExecutionDateTime":"2037-01-05T00:00:00');
    });

    it('--curl of the token request is answered with a token', async () => {
      const { json } = await cli.done('token', '--curl', '--json');
      const { stdout } = await execute('sh', ['-c', String(json()['curl'])]);
      expect(stdout).toMatch(/^HTTP\/1\.1 200/);
    });

    it('--explain says what is signed, and why', async () => {
      const { out } = await cli.done('token', '--explain');
      expect(out).toContain('signed (JWT)');
      expect(out).toMatch(/aud: https:.*whom it is for/);
      const consent = await cli.done('consent', file, '--explain');
      expect(consent.out).toContain('bytes of the body exactly as they are sent');
      expect(consent.out).toContain('b64: false');
    });

    it('a command without a sandbox says how to start one', async () => {
      const elsewhere = await Cli.create(join(cli.folder, 'nowhere'));
      const { exitCode, err } = await elsewhere.run('token');
      expect(exitCode).not.toBe(0);
      expect(err).toContain('npm start');
    });
  });

  describe('authorise without --as', () => {
    it('waits on a loopback address for the browser to come back', async () => {
      await cli.done('consent', file);
      await cli.done('upload');
      const port = await freePort();
      const waiting = cli.run('authorise', '--listen', String(port), '--seconds', '240', '--json');
      const page = await untilAnswer(`http://127.0.0.1:${port}/callback`);
      expect(page).toContain("method: 'POST'");
      // The customer declines: the page forwards what is behind the #, with iss (RFC 9207 s2.4).
      const state = JSON.parse(await readFile(join(stateFolder(), 'state.json'), 'utf8')) as {
        authorization: { state: string };
      };
      const iss = encodeURIComponent(sandbox.description.issuer);
      const fragment = `#error=access_denied&error_description=no&state=${state.authorization.state}&iss=${iss}`;
      await fetch(`http://127.0.0.1:${port}/callback`, { method: 'POST', body: fragment });
      const { exitCode, err } = await waiting;
      expect(exitCode).toBe(1);
      expect(err).toContain('access_denied');
    });

    it('gives up when nobody comes', async () => {
      const { exitCode, err } = await cli.run('authorise', '--listen', '0', '--seconds', '0.2');
      expect(exitCode).toBe(1);
      expect(err).toContain('did not come back');
    });

    it.each([
      ['an invalid time', ['--listen', '0', '--seconds', 'soon'], '--seconds must be a number above 0'],
      ['an invalid port', ['--listen', '65536'], '--listen must be a port number'],
    ])('waits for nobody with %s', async (_title, parameters, message) => {
      const { exitCode, err } = await cli.run('authorise', ...parameters);
      expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
    });

    it('prints the address and says how to go on', async () => {
      const { out } = await cli.done('authorise');
      expect(out).toContain(sandbox.description.authorization_endpoint);
      expect(out).toMatch(/authorise --consent [\da-f-]{36} --returned ADDRESS/);
      const iss = encodeURIComponent(sandbox.description.issuer);
      const returned = `https://tpp.example/cb#code=x&state=other&iss=${iss}`;
      const { exitCode, err } = await cli.run('authorise', '--returned', returned);
      expect(exitCode).toBe(1);
      expect(err).toContain('the state');
    });
  });

  describe('sign and verify', () => {
    it('verify takes what sign made, and says how another body came about', async () => {
      const body = join(cli.folder, 'body.json');
      const pretty = JSON.stringify({ Data: { Amount: '1.10', Items: [1, 2] } }, undefined, 2);
      await writeFile(body, pretty);
      const jws = (await cli.done('sign', body)).out.trim();
      expect((await cli.done('verify', body, '--jws', jws)).out).toContain('matches');
      await writeFile(body, JSON.stringify(JSON.parse(pretty)));
      const rewritten = await cli.run('verify', body, '--jws', jws);
      expect(rewritten.exitCode).toBe(1);
      expect(rewritten.out).toContain('an indentation of two spaces');
      await writeFile(body, '{"Data":{}}');
      expect((await cli.run('verify', body, '--jws', jws)).out).toContain('the body or the key is different');
    });
  });

  it('says what the bank answers to a customer who cannot approve', async () => {
    await cli.done('consent', file);
    await cli.done('upload');
    await cli.done('authorise', '--as', 'alice');
    const again = await cli.run('authorise', '--as', 'alice');
    expect([again.exitCode, again.err]).toEqual([
      1,
      expect.stringContaining('invalid_request (the consent is not awaiting authorisation)'),
    ]);
    await cli.done('consent', file);
    const early = await cli.run('authorise', '--as', 'alice');
    expect([early.exitCode, early.err]).toEqual([
      1,
      expect.stringContaining('sent the customer back with invalid_request ('),
    ]);
  });

  it.each([
    ['a file', ['consent', file], ['upload'], ['authorise', '--account', 'Dixon Frozen']],
    [
      'a single payment',
      ['domestic-payment', 'consent'],
      ['domestic-payment', 'authorise', '--account', 'Dixon Frozen'],
    ],
    ['funds', ['funds-consent', '20000144556699'], ['authorise']],
  ])('says in words what an error page of the bank says (%s)', async (_kind, ...commands) => {
    const authorise = commands.pop() ?? [];
    await cli.done('register');
    for (const command of commands) await cli.done(...command);
    const { exitCode, err } = await cli.run(...authorise, '--as', 'dave');
    expect([exitCode, err]).toEqual([
      1,
      expect.stringMatching(/was answered with 40[03], not 200: [A-Z][^<>]+\.[^<>]*$/),
    ]);
    // Where a reason is promised, there is one.
    for (const [, id = ''] of err.matchAll(/^Why: .* why (\S+)$/gm)) await cli.done('why', id);
  });

  it.each([
    ['an error', []],
    ['a signed error (JARM)', ['--jarm']],
  ])('leads to the reason where the bank sends the customer back with %s', async (_what, answer) => {
    await cli.done('register');
    await cli.done('domestic-payment', 'consent');
    await cli.done('domestic-payment', 'authorise', '--as', 'alice');
    const { exitCode, err } = await cli.run('domestic-payment', 'authorise', '--as', 'alice', ...answer);
    const [, id = ''] =
      /invalid_request \(the consent is not awaiting authorisation\)\nWhy: .* why (\S+)/.exec(err) ?? [];
    expect([exitCode, id]).toEqual([1, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect((await cli.done('history', '--refused')).out.trimEnd().endsWith(id)).toBe(true);
    expect((await cli.done('why')).out).toMatch(
      /request-object\.intent[^]*AwaitingAuthorisation[^]*Stage a new consent/,
    );
  });

  it.each([
    [2, ['authorise', '--as', 'nobody'], /has no customer nobody; it has alice, bob/],
    [
      1,
      ['authorise', '--as', 'alice', '--account', 'Nonsense'],
      /does not offer Nonsense; it offers: [^;]*Archer Payroll/,
    ],
    [2, ['status', '--wait', '--seconds', 'abc'], /--seconds must be a number/],
    [1, ['consent', 'docs/examples/suppliers.csv'], /not a JSON object: ".* convert FILE/],
    [1, ['consent', 'package.json'], /has no DomesticPayments: it is not a payment file/],
    [1, ['consent', 'nofile.json'], /nofile\.json does not exist/],
    [1, ['consent', 'docs'], /docs is a folder/],
    [2, ['verify', file], /give the signature: --jws/],
  ])('%i of %j says what to give', async (code, parameters, said) => {
    await cli.done('register');
    await cli.done('consent', file);
    await cli.done('upload');
    const { exitCode, err } = await cli.run(...parameters);
    expect([exitCode, err]).toEqual([code, expect.stringMatching(said)]);
  });

  it('says where the reasons of a payment are that has failed', async () => {
    await cli.done('register');
    await cli.done('consent', file);
    await cli.done('upload');
    await cli.done('authorise', '--as', 'dave');
    await cli.done('pay');
    expect((await cli.done('status', '--wait')).out).toMatch(
      /InitiationFailed\nWhy: .* report --payment [0-9a-f-]{36}\n/,
    );
    const { out } = await cli.done('report');
    expect(out).toMatch(/RUN-0001  Rejected  Proprietary: The account did not have enough money/);
  });

  describe('check-file', () => {
    it('finds no problem in the file of the documentation', async () => {
      expect((await cli.done('check-file', file)).out).toContain('No problem in v3.1: 3 payments, 205.45 GBP');
    });

    it('knows the format of 4.0, and where it has the reference', async () => {
      expect((await cli.done('check-file', file40, '--version', '4.0')).out).toContain(
        'No problem in v4.0: 3 payments',
      );
      const { exitCode, json } = await cli.run('check-file', file, '--version', '4.0', '--json');
      const path = 'File.Data.DomesticPayments[2].RemittanceInformation.Reference';
      expect([exitCode, json()['count']]).toEqual([1, 3]);
      expect(json()['problems']).toContainEqual(expect.objectContaining({ Path: path }));
      const { out } = await cli.run('check-file', file, '--version', '4.0');
      expect(out.split(path)).toHaveLength(2);
      expect((await cli.run('check-file', file, '--version', '5.0')).exitCode).toBe(2);
    });

    it('lists every problem with its place, more than the bank would list', async () => {
      const { body } = aPaymentFile({
        payments: 120,
        item: () => ({ InstructedAmount: { Amount: '1', Currency: 'EUR' } }),
      });
      const { exitCode, problems, count } = await check(body);
      expect([exitCode, count]).toEqual([1, 120]);
      expect(problems).toContainEqual(
        expect.objectContaining({
          ErrorCode: 'UK.OBIE.Unsupported.Currency',
          Path: 'File.Data.DomesticPayments[119].InstructedAmount.Currency',
        }),
      );
    });
  });
});

async function letTimePass({ directory }: TestSandbox): Promise<void> {
  await runSandboxCommand(directory, ['clock', 'TPP One', '+2h']);
}

function absolute<Tpp extends TestSandbox['description']['tpps'][number]>(tpp: Tpp | undefined): object {
  if (!tpp) throw new Error('no such TPP');
  const files = Object.entries(tpp).filter(([name]) => name.endsWith('_file'));
  return { ...tpp, ...Object.fromEntries(files.map(([name, path]) => [name, join(process.cwd(), String(path))])) };
}

async function untilAnswer(url: string): Promise<string> {
  for (let attempt = 0; attempt < 2_400; attempt += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return answer.text();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} does not answer`);
}
