import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectEventually } from '../../support/expectations.js';
import { FapiWorld } from '../authorization/fapi-world.js';
import { alice } from '../../support/page-browser.js';
import { FundsClient, consents as fundsConsents } from '../funds-confirmation/funds-client.js';
import { giveAccess } from './access-journey.js';
import { AccessClient, consents, versions, type Version } from './access-client.js';

const world = new FapiWorld();
const access = new Map<Version, AccessClient>();
const funds = new Map<Version, FundsClient>();

beforeAll(async () => {
  await world.start({ RETENTION_DAYS: '30', HOUSEKEEPING_SECONDS: '1' });
  const client = await world.client({ method: 'private_key_jwt', name: 'Ledger' });
  for (const { version } of versions) {
    access.set(version, await AccessClient.of(client, version));
    funds.set(version, await FundsClient.of(client, version, 'fundsconfirmations'));
  }
});
afterAll(() => world.stop());

const housekeeping = async (...parameters: string[]): Promise<string> => {
  const program = ['dist/apps/worker/src/housekeeping-command.js', ...parameters];
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: world.sandbox.databaseUrl, DATABASE_TLS: 'any' };
  return (await promisify(execFile)(process.execPath, program, { env })).stdout;
};

const rowOf = async (consentId: string): Promise<{ text: string; erased: boolean }> => {
  const { rows } = await world.sandbox.database.query<{ text: string; erased: boolean }>(
    'SELECT consent::text AS text, erased_at IS NOT NULL AS erased FROM access_consents AS consent WHERE consent_id = $1',
    [consentId],
  );
  return rows[0]!;
};

const age = (consentIds: readonly string[], days: number) =>
  world.sandbox.database.query(
    `UPDATE access_consents SET status_updated_at = now() - $2 * interval '1 day' WHERE consent_id = ANY($1)`,
    [consentIds, days],
  );

const account = '20000112345678';

describe.each(versions)('erasure of funds confirmation of $version', ({ version }) => {
  it('FC-160 erases the account of consents that ended long ago, and keeps recent ones', async () => {
    const own = funds.get(version)!;
    const [young, old] = [await own.stage(), await own.stage()];
    for (const consentId of [young, old]) {
      await own.agree(consentId, alice);
      expect((await own.send('DELETE', `${fundsConsents}/${consentId}`)).status).toBe(204);
    }
    await age([old], 31);
    await expectEventually(async () => (await rowOf(old)).erased, true);
    expect((await rowOf(old)).text).not.toMatch(/20000112345678|Archer/);
    expect(await rowOf(young)).toEqual({ text: expect.stringContaining(account), erased: false });
    // The official description has no consent without an account.
    expect((await own.sendUnchecked('GET', `${fundsConsents}/${old}`)).status).toBe(200);
  });
});

describe.each(versions)('erasure of account access of $version', ({ version }) => {
  const own = () => access.get(version)!;
  const aConsent = async (): Promise<string> => {
    const consentId = await own().stage();
    await giveAccess(own().client, consentId);
    return consentId;
  };
  const anEndedConsent = async (): Promise<string> => {
    const consentId = await aConsent();
    expect((await own().send('DELETE', `${consents}/${consentId}`)).status).toBe(204);
    return consentId;
  };

  it('AA-120 takes the accounts out of what ended long ago; the client reads the consent as before', async () => {
    const [living, young, old] = [await aConsent(), await anEndedConsent(), await anEndedConsent()];
    await age([living, old], 31);
    await age([young], 29);
    const before = await own().send('GET', `${consents}/${old}`);
    expect((await rowOf(young)).text).toContain(account);
    await expectEventually(async () => (await rowOf(old)).erased, true);
    expect((await rowOf(old)).text).not.toMatch(/20000112345678|Archer/);
    expect((await own().send('GET', `${consents}/${old}`)).text).toBe(before.text);
    for (const kept of [living, young]) {
      expect(await rowOf(kept)).toEqual({ text: expect.stringContaining(account), erased: false });
    }
    await age([young], 0);
  });

  it('AA-121 is done by hand, too: of one consent, or of all that ended so many days ago', async () => {
    const [living, one, old] = [await aConsent(), await anEndedConsent(), await anEndedConsent()];
    expect(await housekeeping('erase', '--consent', living)).toMatch(/^Erased: 0 /);
    expect(await housekeeping('erase', '--consent', one)).toBe('Erased: 1\n');
    expect(await housekeeping('erase', '--consent', one)).toMatch(/^Erased: 0 /);
    expect((await rowOf(one)).text).not.toContain(account);
    await age([living, old], 20);
    expect(await housekeeping('retain', '--days', '19')).toBe('Erased: 1\n');
    expect((await rowOf(old)).text).not.toContain(account);
    expect((await rowOf(living)).text).toContain(account);
  });
});
