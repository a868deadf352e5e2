import { useWorld40, aConsent, atOneMoment, expectError40, theRefused } from './world-40.js';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { aPaymentRequest, type Members } from '../../../support/a-consent-request.js';
import { iat, iss, tan } from '../../../support/detached-jws.js';
import { expectBodiless } from '../../../support/expectations.js';
import { httpsRequest } from '../../../support/https-request.js';
import { consents, unknownId } from '../world.js';

const world = useWorld40();

const path = 'Data.Initiation';
const account = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000110000001' };

const card = { SchemeName: 'UK.OBIE.PAN', Identification: '4111111111111111' };

/** Members of Initiation, the code, the member at fault */
const faults: [Members, string, string][] = [
  [{ FileHash: 'short' }, 'U002', `${path}.FileHash`],
  [{ RequestedExecutionDateTime: 'yesterday' }, 'U003', `${path}.RequestedExecutionDateTime`],
  [{ FileHash: undefined }, 'U004', `${path}.FileHash`],
  [{ Purpose: 'x' }, 'U005', `${path}.Purpose`],
  [{ LocalInstrument: 'UK.OBIE.SWIFT' }, 'U026', `${path}.LocalInstrument`],
  [{ DebtorAccount: { ...account, SchemeName: 'Invented' } }, 'U027', `${path}.DebtorAccount.SchemeName`],
  [{ DebtorAccount: { ...account, Identification: '1' } }, 'U021', `${path}.DebtorAccount.Identification`],
  [{ DebtorAccount: { ...account, SchemeName: 'UK.OBIE.Wallet' } }, 'U027', `${path}.DebtorAccount.SchemeName`],
  [{ DebtorAccount: card }, 'U027', `${path}.DebtorAccount.SchemeName`],
  [
    { DebtorAccount: { ...card, SecondaryIdentification: 'A' }, LocalInstrument: 'UK.OBIE.BalanceTransfer' },
    'U022',
    `${path}.DebtorAccount.SecondaryIdentification`,
  ],
];

/** F4-020 to F4-029. */
describe('errors', () => {
  it.each(faults)('F4-020, F4-021 %j is %s at %s', async (members, code, at) => {
    const { tpp } = world();
    expectError40(await tpp.post(consents, aConsent(tpp.file(), members)), 400, code, at);
  });

  it('F4-020 the page of each code is there', async () => {
    const { tpp } = world();
    const refused = await tpp.post(consents, aConsent(tpp.file(), { FileHash: undefined }));
    const [error] = refused.json()['Errors'] as { Url: string }[];
    const page = await httpsRequest({ url: error?.Url ?? '', agent: world().sandbox.agent });
    expect([page.status, page.text.includes('U004')]).toEqual([200, true]);
  });

  it('F4-021, F4-014 what comes after the cut-off of its payment type is U012, and TM01 says why the consent is over', async () => {
    const { tpp } = world();
    const late = { LocalInstrument: 'UK.OBIE.BalanceTransfer' };
    expectError40(await tpp.post(consents, aConsent(tpp.file(), late)), 400, 'U012', path);
    const file = tpp.file({ item: () => late });
    const consentId = await tpp.stageConsent(file, { LocalInstrument: undefined });
    expectError40(await tpp.upload(consentId, file), 400, 'U012', path);
    const { Data } = (await tpp.get(`${consents}/${consentId}`)).json();
    expect(Data).toMatchObject({ Status: 'RJCT', StatusReason: [{ StatusReasonCode: 'TM01' }] });
  });

  it('F4-021 headers, bodies, ids and states have their codes', async () => {
    const { tpp } = world();
    const body = aConsent(tpp.file());
    const bad = { 'x-fapi-interaction-id': 'none' };
    expectError40(await tpp.post(consents, body, { headers: bad }), 400, 'U006', 'x-fapi-interaction-id');
    const missing = { 'x-idempotency-key': undefined };
    expectError40(await tpp.post(consents, body, { headers: missing }), 400, 'U007', 'x-idempotency-key');
    expectError40(await tpp.post(consents, '[]'), 400, 'U010');
    expectError40(await tpp.get(`${consents}/${unknownId}`), 400, 'U011', 'ConsentId');
    const consent = { consentId: await tpp.stageConsent(), initiation: {} };
    expectError40(await tpp.post('/file-payments', aPaymentRequest(consent.consentId, {})), 400, 'U004');
    const file = tpp.file();
    const early = JSON.parse(aConsent(file)) as { Data: { Initiation: Members } };
    const waiting = await tpp.stageConsent(file);
    expectError40(await tpp.pay({ consentId: waiting, initiation: early.Data.Initiation }), 400, 'U009', 'Data.Status');
  });

  it.each<[string, Members]>([
    ['U016', { alg: 'RS256' }],
    ['U016', { [iss]: 'somebody/else' }],
    ['U017', { [tan]: undefined }],
    ['U017', { [iat]: undefined }],
  ])('F4-022 %s for the signature header %j', async (code, jws) => {
    const { tpp } = world();
    expectError40(await tpp.post(consents, aConsent(tpp.file()), { jws }), 400, code);
  });

  it.each([
    ['U015', 'eyJ9'],
    ['U018', 'nonsense'],
    ['U019', undefined],
  ])('F4-022, F4-033 %s for the signature %s, whatever the setting says', async (code, signature) => {
    const { tpp } = world();
    const body = aConsent(tpp.file());
    const sent = code === 'U015' ? tpp.sign(`${body} `) : signature;
    const headers = { 'x-jws-signature': sent };
    expectError40(await tpp.post(consents, body, { headers }), 400, code, 'x-jws-signature');
  });

  it('F4-023, F4-030 what only the bank has a code for is U042; the client is told who it is', async () => {
    const { tpp } = world();
    const consent = await tpp.authorise();
    const accessToken = await tpp.exchangeCode(consent);
    const refused = await tpp.get(`${consents}/${consent.consentId}`, { accessToken });
    expectError40(refused, 403, 'U042', 'Authorization');
    expect(refused.headers['x-client-id']).toBe(tpp.clientId);
    expect(refused.json()).toMatchObject({
      Errors: [{ Message: expect.stringMatching(/^UK\.SandboxBank\.Token\.WrongGrant - /) }],
    });
  });

  it('F4-024 an idempotency key with another body is 422, on each POST', async () => {
    const { tpp } = world();
    const headers = { 'x-idempotency-key': randomUUID() };
    const [file, other] = [tpp.file(), tpp.file({ payments: 3 })];
    const staged = await tpp.post(consents, aConsent(file), { headers });
    expectError40(await tpp.post(consents, aConsent(other), { headers }), 422, 'U029', 'x-idempotency-key');
    expect((await tpp.post(consents, aConsent(file), { headers })).json()).toEqual(staged.json());
    const consentId = await tpp.stageConsent(file);
    expect((await tpp.upload(consentId, file, { headers })).status).toBe(200);
    expectError40(await tpp.upload(consentId, other, { headers }), 422, 'U029', 'x-idempotency-key');
    expect((await tpp.upload(consentId, file, { headers })).status).toBe(200);
    const consent = await tpp.authorise();
    const paid = await tpp.pay(consent, { headers });
    const changed = { ...consent, initiation: { ...consent.initiation, FileReference: 'OTHER' } };
    expectError40(await tpp.pay(changed, { headers }), 422, 'U029', 'x-idempotency-key');
    expect((await tpp.pay(consent, { headers })).status).toBe(paid.status);
  });

  it('F4-025 a second file, or a second payment, is 409', async () => {
    const { tpp } = world();
    const file = tpp.file();
    const consentId = await tpp.stageFile(file);
    expectError40(await tpp.upload(consentId, file), 409, 'U029', 'Data.Status');
    const consent = await tpp.authorise();
    expect((await tpp.pay(consent)).status).toBe(201);
    expectError40(await tpp.pay(consent), 409, 'U029', 'Data.Status');
  });

  it('F4-028 of two simultaneous files, or payments, one is accepted and the other gets 409', async () => {
    const { tpp } = world();
    const [file, other] = [tpp.file(), tpp.file({ item: () => ({ EndToEndIdentification: 'OTHER' }) })];
    const waiting = await tpp.stageConsent(file);
    const uploads = await atOneMoment(world(), waiting, () => [tpp.upload(waiting, file), tpp.upload(waiting, file)]);
    expectError40(theRefused(uploads, 200), 409, 'U029', 'Data.Status');
    const consent = await tpp.authorise(other);
    const payments = await atOneMoment(world(), consent.consentId, () => [tpp.pay(consent), tpp.pay(consent)]);
    expectError40(theRefused(payments, 201), 409, 'U029', 'Data.Status');
  });

  it('F4-029 of two simultaneous bodies under one key one is accepted and the other gets 422', async () => {
    const { tpp } = world();
    const [file, other] = [tpp.file(), tpp.file({ payments: 3 })];
    const headers = { 'x-idempotency-key': randomUUID() };
    const staged = [file, other].map((each) => tpp.post(consents, aConsent(each), { headers }));
    expectError40(theRefused(await Promise.all(staged), 201), 422, 'U029', 'x-idempotency-key');
    const approved = [await tpp.authorise(), await tpp.authorise()];
    const paid = await Promise.all(approved.map((consent) => tpp.pay(consent, { headers })));
    expectError40(theRefused(paid, 201), 422, 'U029', 'x-idempotency-key');
  });

  it.each<[string, Members, Members]>([
    ['Data.Risk', {}, { Risk: {} }],
    [`${path}.DebtorAccount.Bic`, { DebtorAccount: { ...account, Bic: 'x' } }, {}],
    [`${path}.CreditorAgent.PostalAddress.Street`, { CreditorAgent: { PostalAddress: { Street: 'x' } } }, {}],
    ['Data.Authorisation.By', {}, { Authorisation: { AuthorisationType: 'Any', By: 'x' } }],
  ])('F4-026 %s is unexpected', async (at, members, data) => {
    const { tpp } = world();
    expectError40(await tpp.post(consents, aConsent(tpp.file(), members, data)), 400, 'U005', at);
  });

  it('F4-026 an unknown member of an open object is ignored', async () => {
    const { tpp } = world();
    const Proxy = { Identification: 'a', Code: 'TELE' };
    const members = { DebtorAccount: { ...account, Proxy: { ...Proxy, Kind: 1 } } };
    const staged = await tpp.post(consents, aConsent(tpp.file(), members));
    expect(staged.json()).toMatchObject({ Data: { Initiation: { DebtorAccount: { Proxy } } } });
    expect(staged.text).not.toContain('Kind');
  });

  it('F4-026 SupplementaryData may contain anything', async () => {
    const { tpp } = world();
    const SupplementaryData = { any: { thing: [null] } };
    const staged = await tpp.post(consents, aConsent(tpp.file(), { SupplementaryData }));
    expect(staged.json()).toMatchObject({ Data: { Initiation: { SupplementaryData } } });
  });

  it('F4-027 an unknown token gets 401 without a body', async () => {
    expectBodiless(await world().tpp.get(`${consents}/${unknownId}`, { accessToken: 'unknown' }), 401);
  });
});
