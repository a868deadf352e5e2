import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { aConsentRequest, anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aJwsHeader, iat, iss, signDetached, tan } from '../../support/detached-jws.js';
import {
  askForToken,
  aWrongCertificate,
  type Members,
  otherAuthority,
  type PlantedFault,
  seconds,
} from './fault-requests.js';

const path = '/file-payment-consents';
const consent = aConsentRequest();
const day = 24 * 3_600_000;

const jws = (fault: string, rule: string, members: Members, says?: RegExp): PlantedFault => ({
  fault,
  rule,
  ...(says && { says }),
  plant: ({ tpp }) => tpp.post(path, consent, { jws: members }),
});

/** Faults of the connection, of the token and of the signature. */
export const apiFaults: readonly PlantedFault[] = [
  {
    fault: 'a certificate of another authority',
    rule: 'certificate.authority',
    says: /Some other authority/,
    plant: async (world) => {
      const { agent } = await aWrongCertificate(world, { issuer: await otherAuthority() });
      return world.tpp.get(`${path}/x`, { agent });
    },
  },
  {
    fault: 'an expired certificate',
    rule: 'certificate.expired',
    plant: async (world) => {
      const past = { issuer: world.authority, now: new Date(Date.now() - 40 * day), days: 30 };
      return world.tpp.get(`${path}/x`, { agent: (await aWrongCertificate(world, past)).agent });
    },
  },
  {
    fault: 'no certificate',
    rule: 'certificate.missing',
    plant: ({ tpp, sandbox }) => tpp.get(`${path}/x`, { agent: sandbox.agent }),
  },
  {
    fault: "another TPP's certificate with the token",
    rule: 'token.certificate',
    plant: ({ tpp, other }) => tpp.get(`${path}/x`, { agent: other.agent }),
  },
  {
    fault: 'a token of somewhere else',
    rule: 'token.unknown',
    plant: ({ tpp }) => tpp.get(`${path}/x`, { accessToken: 'x' }),
  },
  {
    fault: 'no token',
    rule: 'token.missing',
    plant: ({ tpp }) => tpp.get(`${path}/x`, { headers: { authorization: undefined } }),
  },
  {
    fault: 'an expired token',
    rule: 'token.expired',
    says: /expired at/,
    plant: async (world) => {
      const { access_token: accessToken } = (await askForToken(world)).json();
      await world.sandbox.database.query(
        "UPDATE access_tokens SET expires_at = now() - interval '1 minute' WHERE token_hash = sha256($1::text::bytea)",
        [accessToken],
      );
      return world.tpp.get(`${path}/x`, { accessToken: String(accessToken) });
    },
  },
  jws('a kid that nobody published', 'jws.kid', { kid: 'unpublished' }, /unpublished/),
  jws('a clock ten minutes ahead', 'jws.iat', { [iat]: seconds() + 600 }, /s ahead of the bank/),
  jws('RS256', 'jws.alg', { alg: 'RS256' }, /RS256/),
  jws('iss that is the client id', 'jws.iss', { [iss]: 'client-id' }, /client-id/),
  jws('no crit', 'jws.crit', { crit: undefined }),
  jws('crit without the members that must be understood', 'jws.crit', { crit: ['b64'] }),
  jws('a wrong tan', 'jws.tan', { [tan]: 'directory.example' }, /directory\.example/),
  {
    fault: 'a key that is not the published one',
    rule: 'jws.signature',
    plant: ({ tpp }) => {
      const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
      return tpp.post(path, consent, {
        headers: { 'x-jws-signature': signDetached(consent, key, aJwsHeader(tpp.credentials)) },
      });
    },
  },
  {
    fault: 'a body that was parsed and written again',
    rule: 'jws.rewritten',
    says: /two spaces/,
    plant: ({ tpp }) => {
      const pretty = JSON.stringify(JSON.parse(consent), undefined, 2);
      return tpp.post(path, JSON.stringify(JSON.parse(consent)), { headers: { 'x-jws-signature': tpp.sign(pretty) } });
    },
  },
  {
    fault: 'no signature',
    rule: 'jws.missing',
    plant: ({ tpp }) => tpp.post(path, consent, { headers: { 'x-jws-signature': undefined } }),
  },
  {
    fault: 'a signature that is not detached',
    rule: 'jws.malformed',
    plant: ({ tpp }) => tpp.post(path, consent, { headers: { 'x-jws-signature': 'a.b.c' } }),
  },
];

/** Faults of headers, consents and files. */
export const resourceFaults: readonly PlantedFault[] = [
  {
    fault: 'no idempotency key',
    rule: 'header.x-idempotency-key',
    plant: ({ tpp }) => tpp.post(path, consent, { headers: { 'x-idempotency-key': undefined } }),
  },
  {
    fault: 'an idempotency key with another body',
    rule: 'idempotency.reused',
    plant: async ({ tpp }) => {
      const headers = { 'x-idempotency-key': randomUUID() };
      await tpp.post(path, consent, { headers });
      return tpp.post(path, aConsentRequest({ initiation: { FileReference: 'ANOTHER' } }), { headers });
    },
  },
  {
    fault: 'a file that is not that of the consent',
    rule: 'file.hash',
    says: /SHA-256/,
    plant: async ({ tpp }) => {
      const consentId = await tpp.stageConsent(aPaymentFile());
      const file = aPaymentFile();
      return tpp.upload(consentId, { ...file, body: Buffer.concat([file.body, Buffer.from('\n')]) });
    },
  },
  {
    fault: 'a file of 151 payments',
    rule: 'file.items',
    says: /an array of 151/,
    plant: async ({ tpp }) => {
      const file = aPaymentFile({ payments: 151 });
      return tpp.upload(await tpp.stageConsent(file, { NumberOfTransactions: '150', ControlSum: undefined }), file);
    },
  },
  {
    fault: 'a FileType of another bank',
    rule: 'file.type',
    says: /UK\.OBIE\.pain\.001/,
    plant: ({ tpp }) => tpp.post(path, aConsentRequest({ initiation: { FileType: 'UK.OBIE.pain.001.001.08' } })),
  },
  {
    fault: 'a payment before the customer has approved',
    rule: 'consent.status',
    says: /Await/,
    plant: async ({ tpp }) => {
      const file = aPaymentFile();
      return tpp.pay({ consentId: await tpp.stageFile(file), initiation: anInitiation(file) });
    },
  },
  {
    fault: "a token of another consent's approval",
    rule: 'token.consent',
    plant: async ({ tpp }) => {
      const accessToken = await tpp.exchangeCode(await tpp.authorise());
      const file = aPaymentFile();
      return tpp.pay({ consentId: await tpp.stageFile(file), initiation: anInitiation(file) }, { accessToken });
    },
  },
  {
    fault: 'a consent of another client',
    rule: 'consent.owner',
    plant: async ({ tpp, other }) => other.get(`${path}/${await tpp.stageConsent()}`),
  },
  {
    fault: 'a consent that does not exist',
    rule: 'consent.not-found',
    plant: ({ tpp }) => tpp.get(`${path}/${randomUUID()}`),
  },
  {
    fault: 'XML where JSON is due',
    rule: 'media-type',
    says: /text\/xml/,
    plant: ({ tpp }) => tpp.post(path, consent, { headers: { 'content-type': 'text/xml' } }),
  },
];
