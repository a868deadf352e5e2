import { describe, expect, it } from '@jest/globals';
import { textOf } from '../../support/apps/tpp.js';
import { type Answer, intentClaims } from './authorize-world.js';
import { hiddenFieldsOf } from '../../support/page-browser.js';
import { approve, challengePage, consentPage, expectErrorRedirect, useAuthorizeWorld, world } from './pages-world.js';
import { backOf } from '../../support/expectations.js';

useAuthorizeWorld();

const reports = () => world.bodies.filter(({ path }) => path.endsWith('/decline-reports')).map(({ body }) => body);

const notices = async (): Promise<{ interaction_id: string; attempts: number }[]> =>
  world.dataSource.query('SELECT interaction_id, attempts FROM decline_notices');

async function open() {
  const consentId = await world.aConsent();
  const shown = await consentPage({ claims: intentClaims(consentId) });
  return { consentId, ...shown, asked: await shown.browser.openDecline(shown.page) };
}

async function eventOf(consentId: string): Promise<Record<string, unknown>> {
  const [event] = await world.dataSource.query("SELECT details FROM audit_events WHERE details ->> 'consentId' = $1", [
    consentId,
  ]);
  return event.details;
}

describe('the audit event of an approval', () => {
  it('says what the page said about the payees, as counts', async () => {
    world.bank.payeeNames = { status: 200, body: { results: [{ match: 'NoMatch' }, { match: 'NoMatch' }] } };
    world.bank.knownPayees = { status: 200, body: { known: [false, false] } };
    const { browser, page, consentId } = await open();
    const [shown = ''] = hiddenFieldsOf(page)['payees_shown']?.split('.') ?? [];
    const payees = JSON.parse(Buffer.from(shown, 'base64url').toString());
    // A bank that answers too late is unavailable, on the page and in the event.
    expect(Object.values(payees.names)).toEqual([2]);
    expect((await approve(browser, page)).headers.location).toContain('code=');
    expect(await eventOf(consentId)).toMatchObject({
      psuId: 'psu-1',
      ending: 'Approved',
      acr: 'urn:openbanking:psd2:sca',
      challengeId: expect.any(String),
      payees,
    });
  });
});

const hrefOf = ({ body }: Answer, id: string): string =>
  new RegExp(`id="${id}"[^>]* href="([^"]+)"`).exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';

/** Opens the page that asks why, from the page of the code or the app, and the page that it goes back to. */
async function openBesideChallenge(method: string) {
  world.bank.challenge.body = { ...world.bank.challenge.body, method };
  const { browser, page, ...shown } = await open();
  const challenge = await challengePage(browser, page);
  const asked = await browser.openDecline(challenge);
  return { ...shown, browser, challenge, asked, back: hrefOf(asked, 'back') };
}

describe('a customer who declines', () => {
  it.each(['Code', 'Push'])('is asked why beside the %s as well, and goes back to where they were', async (method) => {
    const { browser, asked, back, consentId, consentUrl } = await openBesideChallenge(method);
    expect(textOf(asked.body, 'main')).toContain('Why are you declining?');
    expect((await browser.get(back)).body).toContain('id="challenge-summary"');
    const readAgain = await browser.get(consentUrl);
    expect(hrefOf(await browser.openDecline(readAgain), 'back')).toBe(consentUrl);
    const welsh = await browser.get(hrefOf(asked, 'language'));
    expect(textOf(welsh.body, 'main')).toContain('Pam ydych chi’n gwrthod?');
    expect(hrefOf(welsh, 'back')).toBe(back);
    expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
    const end = await browser.press(asked, '/decline', { decline_reason: 'SuspectedFraud' });
    expect(textOf(end.body, 'main')).toContain('Ffoniwch ni nawr');
    expect(backOf(end)).toContain('error=access_denied');
    expect(backOf(end)).not.toMatch(/fraud/i);
    expect(await world.consentStatus(consentId)).toBe('Rejected');
    await world.reportDeclines();
    expect(await eventOf(consentId)).toMatchObject({ ending: 'Declined', reason: 'SuspectedFraud' });
  });

  it('may say why, and need not: the TPP hears the same', async () => {
    const [silent, outspoken] = [await open(), await open()];
    const before = reports().length;
    const without = await silent.browser.submit(silent.asked, '/decline', { decline_reason: '' });
    await world.reportDeclines();
    expect(reports()).toHaveLength(before);
    const answer = await outspoken.browser.press(outspoken.asked, '/decline', { decline_reason: 'WrongDetails' });
    for (const each of [without, answer]) expectErrorRedirect(each, 'access_denied');
    expect(String(answer.headers.location)).not.toContain('Wrong');
    // The decline has stored it. The report comes later, perhaps from another process.
    expect(reports()).toHaveLength(before);
    await world.reportDeclines();
    await world.reportDeclines();
    expect(reports().slice(before)).toEqual([
      { psuId: 'psu-1', reason: 'WrongDetails', fileId: outspoken.consentId, requestedBy: expect.any(String) },
    ]);
    expect(await eventOf(outspoken.consentId)).toMatchObject({ ending: 'Declined', reason: 'WrongDetails' });
    expect(await eventOf(silent.consentId)).not.toHaveProperty('reason');
  });

  it('declines even if the bank cannot be told why, and with an unknown reason', async () => {
    world.bank.declineReports = { status: 503, body: {} };
    const before = reports().length;
    for (const reason of ['ChangedMind', 'nonsense']) {
      const { browser, asked, consentId } = await open();
      expectErrorRedirect(await browser.submit(asked, '/decline', { decline_reason: reason }), 'access_denied');
      expect(await world.consentStatus(consentId)).toBe('Rejected');
    }
    await world.reportDeclines();
    expect(reports()).toHaveLength(before + 1);
    // After a pause the bank is told again, under the same interaction id, until it takes it.
    expect(await notices()).toEqual([{ interaction_id: expect.any(String), attempts: 1 }]);
    await world.reportDeclines();
    expect(reports()).toHaveLength(before + 1);
    await world.dataSource.query(`UPDATE decline_notices SET next_attempt_at = next_attempt_at - interval '1 hour'`);
    world.bank.declineReports = { status: 204, body: {} };
    await world.reportDeclines();
    expect(reports().slice(before)).toEqual([
      expect.objectContaining({ reason: 'ChangedMind' }),
      expect.objectContaining({ reason: 'ChangedMind' }),
    ]);
    expect(await notices()).toEqual([]);
  });

  it.each([
    ['does not offer it', { status: 404, body: {} }],
    ['refuses it', { status: 422, body: {} }],
  ])('a bank that %s is told once', async (_title, answer) => {
    world.bank.declineReports = answer;
    const before = reports().length;
    const { browser, asked } = await open();
    await browser.submit(asked, '/decline', { decline_reason: 'Other' });
    await world.reportDeclines();
    expect(reports()).toHaveLength(before + 1);
    expect(await world.dataSource.query('SELECT FROM decline_notices')).toEqual([]);
  });
});
