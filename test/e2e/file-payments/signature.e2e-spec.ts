import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { aConsentRequest, type Members } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aJwsHeader, iat, iss, signDetached, tan, verifyDetached } from '../../support/detached-jws.js';
import { expectObError } from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { consentIdOf, consents, dataOf, table, unknownId } from './world.js';
import { useWorld } from './use-world.js';

const world = useWorld();

const name = 'x-jws-signature';
const now = (): number => Math.floor(Date.now() / 1_000);

/** FP number, what is wrong with the header, its members, error code, path */
const refused: [string, string, Members, string, string][] = [
  ['FP-148', 'b64 true', { b64: true }, 'InvalidClaim', 'b64'],
  ['FP-148', 'b64 not critical', { crit: [iat, iss, tan] }, 'InvalidClaim', 'crit'],
  ['FP-148', 'b64 critical but absent', { b64: undefined }, 'InvalidClaim', 'b64'],
  ['FP-149', 'alg RS256', { alg: 'RS256' }, 'InvalidClaim', 'alg'],
  ['FP-149', 'alg none', { alg: 'none' }, 'InvalidClaim', 'alg'],
  ['FP-149', 'alg HS256', { alg: 'HS256' }, 'InvalidClaim', 'alg'],
  ['FP-150', 'no kid', { kid: undefined }, 'MissingClaim', 'kid'],
  ['FP-150', 'an unknown kid', { kid: 'nobody' }, 'InvalidClaim', 'kid'],
  ['FP-151', 'no iss', { [iss]: undefined }, 'MissingClaim', iss],
  ['FP-151', 'no iat', { [iat]: undefined }, 'MissingClaim', iat],
  ['FP-151', 'no tan', { [tan]: undefined }, 'MissingClaim', tan],
  ['FP-151', 'no crit', { crit: undefined }, 'MissingClaim', 'crit'],
  ['FP-151', 'iss of nobody', { [iss]: '001580000103UAvAAM/4xTq9RbW2mKf7LpZ0sVd1h' }, 'InvalidClaim', iss],
  ['FP-151', 'an untrusted tan', { [tan]: 'example.com' }, 'InvalidClaim', tan],
  ['FP-151', 'iat in the future', { [iat]: now() + 86_400 }, 'InvalidClaim', iat],
  ['FP-152', 'an extra crit', { crit: ['b64', iat, iss, tan, 'exp'] }, 'InvalidClaim', 'crit'],
  ['FP-152', 'an extra member', { jku: 'https://tpp.example.com' }, 'InvalidClaim', 'jku'],
];

const verifySignature = (response: TestResponse) =>
  verifyDetached(String(response.headers[name]), response.body, world().tpp.bankKeys);

/** FP-145 to FP-155. */
describe('x-jws-signature of a request', () => {
  it.each([consents, `${consents}/${unknownId}/file`, '/file-payments'])(
    'FP-145 is needed on POST %s',
    async (path) => {
      for (const signature of [undefined, '']) {
        const response = await world().tpp.post(path, '{}', { headers: { [name]: signature } });
        expectObError(response, 400, 'Signature.Missing', name);
      }
    },
  );

  it.each(['abc', 'a.b.c', '..', 'e30..', '..AAAA', 'e30..AAAA.AAAA', 'e30..AA='])(
    'FP-146 is no signature: %s',
    async (signature) => {
      const response = await world().tpp.post(consents, '{}', { headers: { [name]: signature } });
      expectObError(response, 400, 'Signature.Malformed', name);
    },
  );

  it.each(table(5, refused))('%s is refused with %s', async (_number, _title, jws, code, path) => {
    const response = await world().tpp.post(consents, aConsentRequest(), { jws });
    expectObError(response, 400, `Signature.${code}`, path);
  });

  it('FP-147 is accepted with b64 false and without b64, and answered in the same form', async () => {
    const { tpp } = world();
    const withB64 = await tpp.post(consents, aConsentRequest());
    expect(withB64.status).toBe(201);
    expect(verifySignature(withB64)).toMatchObject({ b64: false });
    const jws = { b64: undefined, crit: [iat, iss, tan] };
    const withoutB64 = await tpp.post(consents, aConsentRequest(), { jws });
    expect(withoutB64.status).toBe(201);
    expect(verifySignature(withoutB64)).not.toHaveProperty('b64');
  });

  it('FP-153 covers every byte of the body, which is not acted upon otherwise', async () => {
    const { tpp, sandbox } = world();
    const count = 'SELECT count(*)::int AS count FROM payment_consents';
    const before = (await sandbox.database.query(count)).rows;
    const body = aConsentRequest();
    for (const other of [`${body} `, body.replace('TEST-FILE', 'TEST-FILF')]) {
      const response = await tpp.post(consents, other, { headers: { [name]: tpp.sign(body) } });
      expectObError(response, 400, 'Signature.Invalid', name);
    }
    expect((await sandbox.database.query(count)).rows).toEqual(before);
  });

  it('is refused from the key of another TPP, or from a new key under our kid', async () => {
    const { tpp, otherTpp } = world();
    const body = aConsentRequest();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const forged = signDetached(body, privateKey, aJwsHeader(tpp.credentials));
    expectObError(await tpp.post(consents, body, { headers: { [name]: forged } }), 400, 'Signature.Invalid', name);
    const foreign = { [name]: otherTpp.sign(body, { [iss]: aJwsHeader(tpp.credentials)[iss] }) };
    expectObError(await tpp.post(consents, body, { headers: foreign }), 400, 'Signature.InvalidClaim', 'kid');
    const others = { [name]: otherTpp.sign(body) };
    expectObError(await tpp.post(consents, body, { headers: others }), 400, 'Signature.InvalidClaim', iss);
  });

  it('FP-155 is not needed on GET', async () => {
    const { tpp } = world();
    expect((await tpp.get(`${consents}/${await tpp.stageConsent()}`)).status).toBe(200);
  });
});

describe('x-jws-signature of an answer', () => {
  it('FP-154 covers the very bytes of every answer with a body', async () => {
    const { tpp } = world();
    const file = aPaymentFile({ item: () => ({ CreditorAccount: euroCreditor }) });
    const created = await tpp.post(consents, aConsentRequest({ file }));
    const consentId = consentIdOf(created);
    await tpp.upload(consentId, file);
    await tpp.approveInPages(await tpp.createAuthorizationRequest(consentId));
    const paid = await tpp.pay({ consentId, initiation: dataOf(created)['Initiation'] as Record<string, unknown> });
    expect(paid.status).toBe(201);
    const payment = `/file-payments/${String(dataOf(paid)['FilePaymentId'])}`;
    const reads = [
      `${consents}/${consentId}`,
      `${consents}/${consentId}/file`,
      ...['', '/report-file', '/payment-details'].map((end) => `${payment}${end}`),
    ];
    const answers = [created, paid, ...(await Promise.all(reads.map((path) => tpp.get(path))))];
    for (const answer of answers) {
      const header = verifySignature(answer);
      expect(header).toMatchObject({ alg: 'PS256', b64: false, [tan]: 'openbanking.org.uk' });
      expect(header[iss]).toMatch(/^[0-9A-Za-z]{18}$/);
      expect(Math.abs(Number(header[iat]) - now())).toBeLessThan(60);
      expect(new Set(header['crit'] as string[])).toEqual(new Set(['b64', iat, iss, tan]));
      // One byte more and it does not fit.
      const longer = Buffer.concat([answer.body, Buffer.from(' ')]);
      expect(() => verifyDetached(String(answer.headers[name]), longer, tpp.bankKeys)).toThrow(/does not match/);
    }
  });

  it('is on errors with a body, and on none without', async () => {
    const { tpp } = world();
    verifySignature(await tpp.post(consents, '{}'));
    verifySignature(await tpp.get(`${consents}/${unknownId}`));
    const unauthorised = await tpp.get(`${consents}/${unknownId}`, { headers: { authorization: undefined } });
    expect(unauthorised.headers).not.toHaveProperty(name);
  });

  it('is on the answer to an address with escaped letters', async () => {
    const { tpp, sandbox } = world();
    const url = `${sandbox.config.baseUrl}/open-banking/v3.1/%70isp${consents}/${await tpp.stageConsent()}`;
    const headers = { authorization: `Bearer ${tpp.accessToken}` };
    const answer = await httpsRequest({ url, headers, agent: tpp.agent });
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    verifySignature(answer);
  });
});

const euroCreditor = {
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: '20000198765432',
  Name: 'Café £ Ω 支払い',
};
