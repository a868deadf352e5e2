import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { EventReceiver } from '../../support/event-receiver.js';
import { until } from '../../support/expectations.js';
import { FapiWorld } from '../authorization/fapi-world.js';
import type { FapiClient } from '../../support/a-client.js';
import { giveAccess } from './access-journey.js';
import { AccessClient, consents, versions } from './access-client.js';

const updates = 'urn:uk:org:openbanking:events:resource-update';
const world = new FapiWorld();
let receiver: EventReceiver;
let client: FapiClient;

beforeAll(async () => {
  receiver = await EventReceiver.start();
  await world.start({ EVENT_WEBHOOK_URL: receiver.url, EVENT_WEBHOOK_CA: receiver.ca });
  client = await world.client({ method: 'private_key_jwt', name: 'Ledger' });
});
afterAll(async () => {
  await world.stop();
  await receiver?.stop();
});

interface ResourceUpdate {
  change: string;
  status: string;
  subject: Record<string, unknown>;
}

describe.each(versions)('events of account access of $version (resource-update)', ({ version }) => {
  it('AE-100 name each step of the consent, and its address in its own version, where it is read', async () => {
    const own = await AccessClient.of(client, version);
    const consentId = await own.stage();
    await giveAccess(client, consentId);
    expect((await own.send('DELETE', `${consents}/${consentId}`)).status).toBe(204);
    const link = own.url(`${consents}/${consentId}`);
    expect(link).toContain(`/open-banking/v${version}/aisp/`);
    const told = () => receiver.tokens.map((token) => decodeJwt(token)).filter(({ sub }) => sub === link);
    await until(() => told().length === 2);
    const changes = told().map(({ aud, events }) => {
      const { subject, ...change } = (events as Record<string, ResourceUpdate>)[updates]!;
      expect(aud).toBe(client.clientId);
      expect(subject).toEqual({
        subject_type: 'http://openbanking.org.uk/rid_http://openbanking.org.uk/rty',
        'http://openbanking.org.uk/rid': consentId,
        'http://openbanking.org.uk/rty': 'account-access-consent',
        'http://openbanking.org.uk/rlk': [{ version: `v${version}`, link }],
      });
      return change;
    });
    expect(changes.map(({ change }) => change)).toEqual(['consent.status', 'consent.status']);
    expect(changes.map(({ status }) => status).sort()).toEqual(
      version === '4.0' ? ['AUTH', 'CANC'] : ['Authorised', 'Revoked'],
    );
    expect((await own.send('GET', link.slice(own.url('').length))).status).toBe(200);
  });
});
