import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { noteAccessUse } from '#libs/access-consent';
import type { ClientAdministration } from '#libs/client-registration';
import type { Config } from '#libs/config';
import { DatabaseReader, recordAuditEvent } from '#libs/persistence';
import { AccessEndService } from '#libs/token-store';
import { HelpDesk } from '../../support/apps/operator-app.js';
import { runCommand, type Operations, SecondPerson } from '../../support/apps/operator.js';
import {
  aCode,
  aConsent,
  anAccessConsent,
  clientId,
  database,
  FixedClock,
  inSeconds,
  lookup,
  redeem,
  useTokenStore,
} from './token-store-world.js';

useTokenStore();

const mandate = { actor: 'olivia', reason: 'lost phone' };
const end = (consentId: string) => ({ name: 'end-access', psuId: 'psu-1', consentId, mandate }) as const;

/** @returns the operations of an operator; clients are those of the table */
function operationsOf({ needsSecondPerson = false } = {}): Operations {
  const clock = new FixedClock();
  const reader = new DatabaseReader(database, undefined);
  const clients = {
    find: async (id: string) => ({ clientId: id, clientName: 'TPP', orgName: 'Org' }),
  } as unknown as ClientAdministration;
  const helpDesk = new HelpDesk(database, reader, clock, clients, new AccessEndService(database));
  const config = { filePayment: { needsSecondPerson } } as unknown as Config;
  return { helpDesk, secondPerson: new SecondPerson(database, reader, clock, config) } as unknown as Operations;
}

const aQuestion = (psuId: string, action: string, details: object): Promise<void> =>
  recordAuditEvent(database, {
    actor: 'api',
    action,
    clientId,
    details: { consentId: randomUUID(), amount: '20.00', currency: 'GBP', psuId, ...details },
    occurredAt: inSeconds(60),
  });

const eventsOf = async (consentId: string): Promise<unknown[]> =>
  (
    await database.query(
      'test-audit-of-access',
      `SELECT actor, action, details ->> 'reason' AS reason FROM audit_events WHERE details ->> 'consentId' = $1
        ORDER BY action`,
      [consentId],
    )
  ).rows;

describe('operator consents --customer', () => {
  it('lists payments, access and questions about funds of every kind, and nobody else’s', async () => {
    const consentId = await aConsent();
    const valid = await anAccessConsent({ expiresAt: inSeconds(3_600) });
    const over = await anAccessConsent({ expiresAt: inSeconds(-1), authorisedAt: inSeconds(-60) });
    const other = await anAccessConsent({ psuId: 'psu-2' });
    await noteAccessUse(database, { consentId: valid, lastUsedAt: undefined, now: inSeconds(1) });
    await aQuestion('psu-1', 'funds.confirmed', { reference: 'Card', isAvailable: false });
    await aQuestion('psu-1', 'funds.unanswered', { reason: 'BankUnavailableError' });
    await aQuestion('psu-2', 'funds.confirmed', { isAvailable: true });
    await aQuestion('psu-1', 'consent.authorised', {});
    const found = (await runCommand({ name: 'consents', psuId: 'psu-1' }, operationsOf())) as Record<string, unknown>[];
    const own = found.filter((record) => record['clientId'] === clientId);
    expect(own.map(({ kind, status }) => [kind, status])).toEqual([
      ['funds-question', expect.stringMatching(/^(?:not available|no answer)$/)],
      ['funds-question', expect.stringMatching(/^(?:not available|no answer)$/)],
      [expect.any(String), 'Authorised'],
      [expect.any(String), 'Authorised'],
      ['account-access', 'Expired'],
    ]);
    expect(own).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'file-payment', consentId, clientName: 'TPP', orgName: 'Org' }),
        expect.objectContaining({
          kind: 'account-access',
          consentId: valid,
          expiresAt: inSeconds(3_600),
          lastUsedAt: inSeconds(1),
        }),
        expect.objectContaining({ consentId: over }),
        expect.objectContaining({ status: 'not available', amount: '20.00', currency: 'GBP', reference: 'Card' }),
      ]),
    );
    expect(own.filter((record) => 'lastUsedAt' in record)).toHaveLength(1);
    expect(found.map((record) => record['consentId'])).not.toContain(other);
  });

  it('says of a declined payment when the customer declined it', async () => {
    const consentId = randomUUID();
    await database.query(
      'test-insert-declined-consent',
      `INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at,
         expires_at, initiation, charges, psu_id)
       VALUES ('file-payment', '3.1', $1, $2, 'Rejected', $3, $4, $4, '{}', '[]', 'psu-1')`,
      [consentId, clientId, inSeconds(-259_200), inSeconds(-60)],
    );
    const found = await operationsOf().helpDesk.find('psu-1');
    expect(found.find((record) => record.consentId === consentId)).toMatchObject({ at: inSeconds(-60) });
  });
});

describe('operator consents --customer --end', () => {
  it('ends the access and its tokens, and records who did it and why', async () => {
    const consentId = await anAccessConsent();
    const name = randomUUID();
    await redeem(await aCode({ consentId }), name);
    await expect(lookup.find(name)).resolves.toMatchObject({ consentId });
    expect(await runCommand(end(consentId), operationsOf())).toEqual({ consentId, done: 'end' });
    await expect(lookup.find(name)).resolves.toBeUndefined();
    expect(await eventsOf(consentId)).toEqual([
      { actor: 'olivia', action: 'access.end', reason: 'lost phone' },
      expect.objectContaining({ actor: 'olivia' }),
    ]);
  });

  it('refuses what is over, of another customer, or not there, and records nothing', async () => {
    const over = await anAccessConsent({ expiresAt: inSeconds(-1), authorisedAt: inSeconds(-60) });
    const ofAnother = await anAccessConsent({ psuId: 'psu-2' });
    for (const consentId of [over, ofAnother, await aConsent(), randomUUID()]) {
      await expect(runCommand(end(consentId), operationsOf())).rejects.toMatchObject({ reason: 'refused' });
      expect(await eventsOf(consentId)).toEqual([]);
    }
  });

  it('waits for a second person, who ends it, if four eyes are on', async () => {
    const consentId = await anAccessConsent();
    const { helpDesk, secondPerson, ...others } = operationsOf({ needsSecondPerson: true });
    const statusOf = async (): Promise<unknown> =>
      (await helpDesk.find('psu-1')).find((record) => record.consentId === consentId)?.status;
    const asked = await runCommand(end(consentId), { helpDesk, secondPerson, ...others });
    expect(asked).toMatchObject({ done: 'requested', requestId: expect.any(String) });
    const { requestId } = asked as { requestId: string };
    const [{ requestedBy = '' } = {}] = (await secondPerson.findPending()).filter(
      (each) => each.requestId === requestId,
    );
    const confirmedBy = (actor: string): Promise<unknown> =>
      secondPerson.confirm(requestId, { actor }, (command) => runCommand(command, operationsOf()));
    await expect(confirmedBy(requestedBy)).rejects.toMatchObject({ reason: 'refused' });
    expect(await statusOf()).toBe('Authorised');
    expect(await confirmedBy('oscar')).toEqual({ consentId, done: 'end' });
    expect(await statusOf()).toBe('Withdrawn');
    await expect(confirmedBy('omar')).rejects.toMatchObject({ message: expect.stringContaining(requestId) });
    expect(await eventsOf(consentId)).toContainEqual({ actor: 'oscar', action: 'operator.confirm', reason: null });
  });

  it('is asked for in each request alone: once, for a day, and of another account, however its name is spaced', async () => {
    const { secondPerson, ...others } = operationsOf({ needsSecondPerson: true });
    const ask = async (): Promise<string> => {
      const asked = await runCommand(end(await anAccessConsent()), { secondPerson, ...others });
      return (asked as { requestId: string }).requestId;
    };
    const [first, second, over] = [await ask(), await ask(), await ask()];
    await database.query(
      'test-expire-request',
      'UPDATE operator_requests SET expires_at = requested_at WHERE request_id = $1',
      [over],
    );
    const pending = async (): Promise<string[]> =>
      (await secondPerson.findPending())
        .map(({ requestId }) => requestId)
        .filter((id) => [first, second, over].includes(id));
    expect((await pending()).toSorted()).toEqual([first, second].toSorted());
    const confirm = (id: string, actor = 'oscar'): Promise<unknown> =>
      secondPerson.confirm(id, { actor }, async ({ name, mandate: given }) => {
        await given.confirm?.(database);
        return name;
      });
    const refused = { reason: 'refused' };
    await expect(confirm(over)).rejects.toMatchObject(refused);
    const [{ requestedBy } = { requestedBy: '' }] = await secondPerson.findPending();
    await expect(confirm(first, [...requestedBy].join(' '))).rejects.toMatchObject(refused);
    await expect(confirm(first)).resolves.toBe('end-access');
    await expect(confirm(first)).rejects.toMatchObject(refused);
    expect(await pending()).toEqual([second]);
  });
});
