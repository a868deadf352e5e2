import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { TestResponse } from '../../support/https-request.js';
import type { FapiClient } from '../../support/a-client.js';
import { FapiWorld } from '../authorization/fapi-world.js';
import { alice } from '../../support/page-browser.js';
import { DocumentCheck, documentedIn } from '../documentation/api-document.js';
import { almost, anyBody, fuzzSettings, headerValue, hostileText } from '../file-payments/fuzz.js';
import {
  aQuestion,
  FundsClient,
  consents as fundsConsents,
  payroll,
  questions,
} from '../funds-confirmation/funds-client.js';
import { AccessClient, aRequest, consents, dataOf, versions, type Version } from './access-client.js';

const world = new FapiWorld();
const check = new DocumentCheck();
let client: FapiClient;
let answered = 0;

beforeAll(async () => {
  await world.start();
  client = await world.client({ method: 'private_key_jwt', name: 'Fuzz' });
});
afterAll(() => world.stop());

/** Everything that a consent of the kind may say. */
const until = { ExpirationDateTime: '2037-05-06T12:00:00+00:00' };
const transactions = { TransactionFromDateTime: '2020-01-01T00:00:00Z', TransactionToDateTime: '2030-01-01T00:00:00Z' };
const kinds = [
  {
    kind: 'account access',
    area: 'accounts',
    name: 'AccountAccessConsents',
    scope: 'accounts',
    path: consents,
    Client: AccessClient,
    document: aRequest({ ...until, ...transactions, Permissions: ['ReadAccountsDetail', 'ReadBalances'] }),
  },
  {
    kind: 'funds confirmation',
    area: 'funds-confirmation',
    name: 'FundsConfirmationConsents',
    scope: 'fundsconfirmations',
    path: fundsConsents,
    Client: FundsClient,
    document: { Data: { DebtorAccount: payroll, ...until } },
  },
] as const;
const all = kinds.flatMap((kind) => versions.map(({ version }) => ({ ...kind, version })));

/** @returns what fails for an answer that the document of the area does not have: its status, headers or body */
function documented(area: string, version: Version): (name: string, response: TestResponse) => void {
  const expectDocumented = documentedIn(version === '3.1' ? area : `${area}-${version}`, check);
  return (name, response) => {
    expectDocumented(name, response);
    answered += 1;
  };
}

describe.each(all)(
  'any request at all for $kind of $version',
  ({ area, name, scope, path, Client, document, version }) => {
    const expectDocumented = documented(area, version);
    let own: AccessClient;
    beforeAll(async () => {
      own = await Client.of(client, version, scope);
    });

    it('is answered as documented if it is a consent, and accepted ones can be read and ended', async () => {
      const property = fc.asyncProperty(fc.oneof(anyBody, almost(document), almost(document)), async (sent) => {
        const response = await own.send('POST', path, { body: sent });
        expectDocumented(`Create${name}`, response);
        if (response.status !== 201) return;
        const consent = `${path}/${String(dataOf(response)['ConsentId'])}`;
        expect((await own.send('GET', consent)).json()).toEqual(response.json());
        expectDocumented(`Delete${name}ConsentId`, await own.send('DELETE', consent));
        expectDocumented(`Get${name}ConsentId`, await own.send('GET', consent));
      });
      await fc.assert(property, fuzzSettings(150));
    });

    it('is answered as the document says whatever the id is', async () => {
      const property = fc.asyncProperty(hostileText, async (id) => {
        const consent = `${path}/${encodeURIComponent(id.slice(0, 2_000).replaceAll(/\p{Surrogate}/gu, ''))}`;
        expectDocumented(`Get${name}ConsentId`, await own.send('GET', consent));
        expectDocumented(`Delete${name}ConsentId`, await own.send('DELETE', consent));
      });
      await fc.assert(property, fuzzSettings(40));
    });

    it('is answered as the document says whatever its headers are', async () => {
      const names = [
        'x-fapi-interaction-id',
        'x-fapi-auth-date',
        'x-fapi-customer-ip-address',
        'accept',
        'content-type',
      ];
      const property = fc.asyncProperty(fc.constantFrom(...names), headerValue, async (header, value) => {
        const sent = { body: document, headers: { [header]: value } };
        expectDocumented(`Create${name}`, await own.send('POST', path, sent));
      });
      await fc.assert(property, fuzzSettings(60));
    });
  },
);

describe.each(versions)('any question for funds of $version', ({ version }) => {
  it('is answered as the document says', async () => {
    const expectDocumented = documented('funds-confirmation', version);
    const own = await FundsClient.of(client, version, 'fundsconfirmations');
    const consentId = await own.stage();
    const accessToken = String((await own.agree(consentId, alice))['access_token']);
    const question = aQuestion({ ConsentId: consentId });
    const property = fc.asyncProperty(fc.oneof(anyBody, almost(question), almost(question)), async (body) => {
      expectDocumented('CreateFundsConfirmations', await own.send('POST', questions, { body, accessToken }));
    });
    await fc.assert(property, fuzzSettings(150));
  });
});

describe('the requests', () => {
  it('were many', () => {
    expect(answered).toBeGreaterThan(1_400);
  });
});
