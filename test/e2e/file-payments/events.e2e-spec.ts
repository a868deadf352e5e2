import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compactVerify, createLocalJWKSet } from 'jose';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp, TestTpp } from '../../support/a-tpp.js';
import { EventReceiver } from '../../support/event-receiver.js';
import { until } from '../../support/expectations.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { CheckedTpp } from './checked-tpp.js';
import { consents, dataOf } from './world.js';

const updates = 'urn:uk:org:openbanking:events:resource-update';

interface EventToken {
  iss: string;
  jti: string;
  aud: string;
  sub: string;
  toe: number;
  events: { [updates]: { subject: Record<string, unknown>; change: string; status: string } };
}

describe('events (RFC 8417, resource-update)', () => {
  let receiver: EventReceiver;
  let sandbox: TestSandbox;
  let tpp: CheckedTpp;
  /** the same TPP as it speaks 4.0 */
  let newer: TestTpp;

  beforeAll(async () => {
    receiver = await EventReceiver.start();
    const environment = { EVENT_WEBHOOK_URL: receiver.url, EVENT_WEBHOOK_CA: receiver.ca };
    sandbox = await startTestSandbox({ environment });
    const older = await aTpp(sandbox);
    newer = new TestTpp({ ...older, version: '4.0' });
    tpp = new CheckedTpp(older);
  });

  afterAll(async () => {
    tpp?.close();
    await sandbox?.stop();
    await receiver?.stop();
  });

  /** @returns the events of a resource, each token with its signature verified */
  const eventsOf = async (resourceId: string): Promise<EventToken[]> => {
    const keys = createLocalJWKSet({ keys: [...tpp.bankKeys] });
    const tokens = await Promise.all(receiver.tokens.map((token) => compactVerify(token, keys)));
    for (const { protectedHeader } of tokens)
      expect(protectedHeader).toMatchObject({ alg: 'PS256', typ: 'secevent+jwt' });
    return tokens
      .map(({ payload }) => JSON.parse(Buffer.from(payload).toString()) as EventToken)
      .filter(({ sub }) => sub.endsWith(resourceId));
  };

  it('tell of the life of a consent and its payment, signed, once each', async () => {
    const startedAt = Math.floor(Date.now() / 1_000);
    const consent = await tpp.authorise(aPaymentFile());
    const filePaymentId = String(dataOf(await tpp.pay(consent))['FilePaymentId']);
    await until(async () => (await eventsOf(filePaymentId)).length + (await eventsOf(consent.consentId)).length > 3);
    const ofConsent = await eventsOf(consent.consentId);
    expect(ofConsent.map(({ events }) => events[updates].status).sort()).toEqual(['Authorised', 'Consumed']);
    const metrics = await (await fetch(`http://127.0.0.1:${sandbox.ports.admin}/metrics`)).text();
    expect(metrics).toMatch(/^open_banking_queue_depth\{queue="domain events"\} \d+$/m);
    const [event] = ofConsent;
    expect(event).toMatchObject({
      iss: sandbox.config.issuer,
      aud: tpp.clientId,
      sub: tpp.url(`${consents}/${consent.consentId}`),
      events: {
        [updates]: {
          change: 'consent.status',
          subject: {
            subject_type: 'http://openbanking.org.uk/rid_http://openbanking.org.uk/rty',
            'http://openbanking.org.uk/rid': consent.consentId,
            'http://openbanking.org.uk/rty': 'file-payment-consent',
            'http://openbanking.org.uk/rlk': [{ version: 'v3.1', link: tpp.url(`${consents}/${consent.consentId}`) }],
          },
        },
      },
    });
    expect(event?.toe).toBeGreaterThanOrEqual(startedAt);
    expect(event?.toe).toBeLessThanOrEqual(Date.now() / 1_000);
    const ofPayment = await eventsOf(filePaymentId);
    expect(new Set(ofPayment.map(({ events }) => events[updates].change))).toEqual(
      new Set(['file-payment.payments', 'file-payment.status']),
    );
    const all = [...ofConsent, ...ofPayment].map(({ jti }) => jti);
    expect(new Set(all).size).toBe(all.length);
  });

  it('name the address of a resource in the version in which it was made', async () => {
    const consent = await newer.authorise();
    const filePaymentId = String(dataOf(await newer.pay(consent))['FilePaymentId']);
    await until(async () => (await eventsOf(filePaymentId)).length + (await eventsOf(consent.consentId)).length > 3);
    for (const [id, address] of [
      [consent.consentId, `${consents}/${consent.consentId}`],
      [filePaymentId, `/file-payments/${filePaymentId}`],
    ] as const) {
      const link = newer.url(address);
      expect(link).toContain('/v4.0/');
      const rlk = [{ version: 'v4.0', link }];
      for (const { sub, events } of await eventsOf(id)) {
        expect({ sub, rlk: events[updates].subject['http://openbanking.org.uk/rlk'] }).toEqual({ sub: link, rlk });
      }
      expect((await newer.get(address)).status).toBe(200);
    }
  });

  it('are written only for changes: a statement that changes nothing writes none', async () => {
    const consentId = await tpp.stageFile();
    const again = await tpp.upload(consentId, aPaymentFile());
    expect(again.status).toBe(400);
    const { rows } = await sandbox.database.query(
      'SELECT count(*)::int AS count FROM domain_events WHERE resource_id = $1',
      [consentId],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('are delivered again until they are accepted, and no redirect is followed', async () => {
    receiver.status = 302;
    const consentId = await tpp.stageConsent();
    const wrong = aPaymentFile({ payments: 3 });
    expect((await tpp.upload(consentId, wrong)).status).toBe(400);
    await until(() => receiver.refused > 0);
    const stateOf = async () => {
      const { rows } = await sandbox.database.query<{ attempts: number; isWaiting: boolean; isDelivered: boolean }>(
        `SELECT attempts, next_attempt_at > now() AS "isWaiting", delivered_at IS NOT NULL AS "isDelivered"
           FROM domain_events WHERE resource_id = $1`,
        [consentId],
      );
      return rows[0];
    };
    await until(async () => (await stateOf())?.attempts === 1);
    expect(await stateOf()).toMatchObject({ attempts: 1, isWaiting: true, isDelivered: false });
    receiver.status = 202;
    // The pause is 10 seconds: end it instead of waiting.
    await sandbox.database.query('UPDATE domain_events SET next_attempt_at = now() WHERE resource_id = $1', [
      consentId,
    ]);
    await until(async () => (await stateOf())?.isDelivered === true);
    expect(await stateOf()).toMatchObject({ attempts: 2, isDelivered: true });
    expect((await eventsOf(consentId)).map(({ events }) => events[updates].status)).toEqual(['Rejected']);
  });
});
