import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkIngress } from '../../../apps/ingress-check/src/check-ingress.js';
import { isWholeWall, type Finding } from '../../../apps/ingress-check/src/verdict.js';
import { requestToken } from '../../../apps/tpp/src/oauth/request-token.js';
import { IngressWorld } from './ingress-world.js';
import { missingPrograms, type Form } from './proxy.js';
import { aSpreadTpp, makeJourney } from './spread-journey.js';
import { WeakInstances, type Weakness } from './weak-instances.js';

const missing = missingPrograms();
if (missing !== undefined) process.stderr.write(`The ingress tests are skipped: ${missing} is not installed.\n`);
const describeIngress = missing === undefined ? describe : describe.skip;

/** What is not as it should be, in short. */
function faultsOf(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ verdict }) => verdict !== 'held')
    .map(({ profile, attack, verdict, detail }) => `${profile}: ${attack}: ${verdict}: ${detail}`);
}

describeIngress('the shipped ingress configurations', () => {
  let world: IngressWorld;

  beforeAll(async () => {
    world = await IngressWorld.create();
  }, 120_000);

  afterAll(async () => {
    await world?.stop();
  }, 60_000);

  /** A journey, and enough requests besides that every instance must have got some. */
  async function expectJourneyOverAllInstances(): Promise<void> {
    const { sandbox, description } = world;
    const tpp = await aSpreadTpp({ description, ca: sandbox.ca, agent: sandbox.agent });
    const { filePaymentId, ...result } = await makeJourney(tpp);
    expect(result).toEqual({ consentStatus: 'Consumed', paymentStatus: 200 });
    expect(filePaymentId).not.toBe('');
    const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
    for (let count = 0; count < 8; count += 1) {
      tpp.client.close();
      await requestToken({ ...tpp, grant });
    }
    tpp.close();
    for (const instance of world.instances) {
      expect({ app: instance.app, port: instance.port, isUsed: (await instance.answered()) > 0 }).toMatchObject({
        isUsed: true,
      });
    }
  }

  describe.each<{ form: Form }>([{ form: 'haproxy-pass-through' }, { form: 'nginx-pass-through' }])(
    '$form',
    ({ form }) => {
      beforeAll(async () => {
        if (world.instances.length === 0) await world.startInstances(form);
        await world.startIngress(form);
      }, 400_000);

      it('carries the whole journey, its requests spread over three instances of each application', async () => {
        await expectJourneyOverAllInstances();
      }, 120_000);

      it('leaves no hole', async () => {
        expect(faultsOf(await checkIngress(world.attacker(form)))).toEqual([]);
      }, 120_000);
    },
  );

  describe('with one protection of the application taken away, in pass-through form', () => {
    const cases: { weakness: Weakness | undefined; settings?: Record<string, string>; hole: string }[] = [
      { weakness: 'TLS 1.1 spoken', hole: 'authorize: TLS 1.1' },
      { weakness: 'a weak suite accepted', hole: 'token: weak suites under TLS 1.2' },
      { weakness: 'sessions resumed', hole: 'token: session of authorize resumed (TLSv1.3)' },
      { weakness: 'client certificate not demanded', hole: 'token: no certificate' },
      { weakness: 'Host not looked at', hole: 'api: Host of another profile' },
      {
        weakness: undefined,
        settings: { CLIENT_CERTIFICATE_REVOCATION: 'off' },
        hole: 'api: revoked certificate',
      },
    ];

    it.each(cases)('$hole is found', async ({ weakness, settings, hole }) => {
      const form = 'haproxy-pass-through';
      const weak = await WeakInstances.start(world.environment(form, settings), weakness);
      try {
        await world.startIngress(form, { behind: weak.ports });
        const findings = await checkIngress(world.attacker(form));
        expect(isWholeWall(findings)).toBe(false);
        expect(faultsOf(findings)).toContainEqual(expect.stringContaining(`${hole}: hole`));
      } finally {
        await weak.stop();
      }
    });
  });

  describe('nginx-terminating', () => {
    const form = 'nginx-terminating';

    beforeAll(async () => {
      await world.startInstances(form);
      await world.startIngress(form);
    }, 400_000);

    it('carries the whole journey, its requests spread over three instances of each application', async () => {
      await expectJourneyOverAllInstances();
    }, 120_000);

    it('leaves no hole, neither in front nor behind', async () => {
      const portOf = (app: string) => world.instances.find((instance) => instance.app === app)?.port ?? 0;
      const attacker = world.attacker(form, { token: portOf('token'), api: portOf('api') });
      expect(faultsOf(await checkIngress(attacker))).toEqual([]);
    }, 120_000);

    const cases: { change: (text: string) => string; hole: string }[] = [
      { hole: 'token: no certificate', change: swap(['ssl_verify_client on;', 'ssl_verify_client off;']) },
      {
        hole: 'api: certificate of another authority',
        change: swap(['ssl_verify_client optional;', 'ssl_verify_client optional_no_ca;']),
      },
      {
        hole: 'api: forged header (nginx)',
        change: swap(['SSL-Client-Cert $ssl_client_escaped_cert', 'SSL-Client-Cert $http_ssl_client_cert']),
      },
      {
        hole: 'authorize: TLS 1.1',
        change: swap(
          ['ssl_protocols TLSv1.2', 'ssl_protocols TLSv1.1 TLSv1.2'],
          ['ssl_ciphers ', 'ssl_ciphers ALL:@SECLEVEL=0:'],
        ),
      },
      { hole: 'api: weak suites', change: swap(['ssl_ciphers ', 'ssl_ciphers ECDHE-RSA-AES128-SHA256:']) },
      {
        hole: 'token: session of api resumed',
        // The default servers, which answer for no name of ours, keep sessions apart even then.
        change: (text) =>
          swap(
            ['ssl_session_cache off;', 'ssl_session_cache shared:all:1m;'],
            ['tls/token-', 'tls/shared-'],
            ['tls/api-', 'tls/shared-'],
          )(withoutDefaultServers(text)),
      },
      {
        hole: 'authorize: Host of nobody',
        change: withoutDefaultServers,
      },
      {
        hole: 'api: plain HTTP',
        change: (text) =>
          text.replaceAll(`127.0.0.1:${world.publicPorts.api} ssl`, `127.0.0.1:${world.publicPorts.api}`),
      },
    ];

    it.each(cases)('$hole is found when the configuration allows it', async ({ change, hole }) => {
      await world.startIngress(form, { change });
      const findings = await checkIngress(world.attacker(form));
      expect(isWholeWall(findings)).toBe(false);
      expect(faultsOf(findings)).toContainEqual(expect.stringMatching(new RegExp(`^${escape(hole)}.*: hole: `)));
    });

    it('a header from a client is found when instances believe clients', async () => {
      const settings = { INGRESS_TRUST_ANCHORS: world.sandbox.ca };
      const weak = await WeakInstances.start(world.environment(form, settings));
      try {
        const { token, api } = weak.ports;
        const findings = await checkIngress({ ...world.attacker(form, { token, api }), targets: [] });
        expect(faultsOf(findings)).toContainEqual(
          expect.stringMatching(/^api: instance .*: header from a client: hole/),
        );
      } finally {
        await weak.stop();
      }
    });
  });
});

function escape(text: string): string {
  return text.replaceAll(/[()]/g, '\\$&');
}

/** Replaces texts of a configuration, which must be there. */
function swap(...pairs: readonly (readonly [from: string, to: string])[]): (text: string) => string {
  return (text) => {
    for (const [from] of pairs) if (!text.includes(from)) throw new Error(`No "${from}" in the configuration.`);
    return pairs.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  };
}

function withoutDefaultServers(text: string): string {
  return text.replaceAll(/server \{\s+listen \S+ ssl default_server;[^}]*\}/g, '');
}
