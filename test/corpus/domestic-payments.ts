import { randomUUID } from 'node:crypto';
import { type Members, toJson } from '../support/a-consent-request.js';
import type { ApiVersion } from '../support/a-payment-file.js';
import { until } from '../support/expectations.js';
import {
  anInitiation,
  type Approved,
  aRisk,
  consents,
  DomesticTpp,
  pathOf,
  payments,
} from '../e2e/domestic-payments/domestic-world.js';
import { unknownId } from '../e2e/file-payments/world.js';
import { runUnguarded } from '../support/unguarded.js';
import { exchange, type Area, type CorpusWorld, type Exchange, once, type SentRequest } from './exchange.js';
import { mutationsOf } from './mutations.js';
import { unreadableBodies } from './unreadable-bodies.js';

const lengths = {
  InstructionIdentification: 35,
  EndToEndIdentification: 35,
  Name: 350,
  ReferencePaymentOrderId: 40,
  MerchantCategoryCode: 4,
  MerchantCustomerIdentification: 70,
};

/** Every member that a payment of a file does not have, and the least of all others. */
function wholeConsent(version: ApiVersion): { Data: { Initiation: Members } & Members; Risk: Members } {
  return {
    Data: {
      ReadRefundAccount: 'Yes',
      Initiation: anInitiation(version),
      Authorisation: { AuthorisationType: 'Any', CompletionDateTime: '2091-02-28T00:00:00+00:00' },
      SCASupportData: {
        RequestedSCAExemptionType: 'PartyToParty',
        AppliedAuthenticationApproach: 'SCA',
        ReferencePaymentOrderId: 'ORDER-1',
      },
    },
    Risk: {
      ...aRisk,
      MerchantCategoryCode: '5967',
      MerchantCustomerIdentification: '053598653254',
      BeneficiaryPrepopulatedIndicator: true,
      BeneficiaryAccountType: 'Business',
      ContractPresentIndicator: true,
      PaymentPurposeCode: 'GDDS',
      ...(version === '3.1' ? { ContractPresentInidicator: true } : { CategoryPurposeCode: 'SUPP' }),
    },
  };
}

function consentBodies(version: ApiVersion): [string, string | Buffer][] {
  const whole = wholeConsent(version);
  const withInitiation = (members: Members): string =>
    toJson({ ...whole, Data: { ...whole.Data, Initiation: { ...whole.Data.Initiation, ...members } } });
  const account = whole.Data.Initiation['CreditorAccount'] as Members;
  return [
    ['with every member', toJson(whole)],
    ['with the least', toJson({ Data: { Initiation: anInitiation(version) }, Risk: {} })],
    [
      'with an account',
      withInitiation({ DebtorAccount: { SchemeName: 'SortCodeAccountNumber', Identification: '20000112345678' } }),
    ],
    ...unreadableBodies(toJson(whole)),
    ...mutationsOf(whole, lengths).map(({ name, document }): [string, string] => [name, toJson(document)]),
    ['a member that the standard does not know', withInitiation({ Purpose: 'x' })],
    ['a day', withInitiation({ RequestedExecutionDateTime: '2091-01-31T00:00:00Z' })],
    ['an amount of nothing', withInitiation({ InstructedAmount: { Amount: '0.00', Currency: 'GBP' } })],
    ['an amount beyond the limit', withInitiation({ InstructedAmount: { Amount: '1000000.01', Currency: 'GBP' } })],
    ['an amount of many decimals', withInitiation({ InstructedAmount: { Amount: '1.000001', Currency: 'GBP' } })],
    ['another currency', withInitiation({ InstructedAmount: { Amount: '1.00', Currency: 'EUR' } })],
    ['a payee of another scheme', withInitiation({ CreditorAccount: { ...account, SchemeName: 'UK.OBIE.Paym' } })],
    ['a payee with a roll number', withInitiation({ CreditorAccount: { ...account, SecondaryIdentification: 'R/1' } })],
    ...['BACS', 'CHAPS', 'BalanceTransfer', 'SWIFT'].map((type): [string, string] => [
      `of the type ${type}`,
      withInitiation({ LocalInstrument: `UK.OBIE.${type}` }),
    ]),
  ];
}

/** The states that the exchanges start from. */
class Preparations {
  readonly tpp: DomesticTpp;

  constructor(
    readonly world: CorpusWorld,
    version: ApiVersion,
  ) {
    this.tpp = new DomesticTpp({ ...world.tpp, version });
  }

  async approved(initiation: Members = {}, data: Members = {}): Promise<Approved> {
    return this.tpp.approve(await this.tpp.stage(initiation, { data }));
  }

  async rejected(): Promise<string> {
    const consentId = await this.tpp.stage();
    const sql = "UPDATE payment_consents SET status = 'Rejected', status_reason = 'Declined' WHERE consent_id = $1";
    await runUnguarded(this.world.sandbox.database, sql, [consentId]);
    return consentId;
  }

  /** @returns the path of a payment in its last state */
  async settled(approved: Approved, initiation: Members = {}): Promise<string> {
    const path = pathOf(await this.tpp.payFor(approved, { initiation }));
    await until(
      async () => !/"(?:Pending|RCVD|PDNG|AcceptedSettlementInProcess|ACSP)"/.test((await this.tpp.get(path)).text),
    );
    return path;
  }

  /** @returns the path of a payment that waits for its second approver */
  async awaited(): Promise<string> {
    const { tpp } = this;
    return pathOf(await tpp.payFor(await tpp.approve(await tpp.stage(), 'bob', 'Brown & Clark Traders')));
  }
}

const amount = (Amount: string): Members => ({ InstructedAmount: { Amount, Currency: 'GBP' } });

const funds = (name: string, approval: () => Promise<Approved>): Exchange =>
  exchange(`funds of ${name}`, async () => {
    const { consentId, accessToken } = await approval();
    return { method: 'GET', path: `${consents}/${consentId}/funds-confirmation`, accessToken };
  });
const keyed = () => ({ headers: { 'x-idempotency-key': randomUUID() } });
const get = (name: string, path: () => Promise<string>, more: Partial<SentRequest> = {}): Exchange =>
  exchange(`GET ${name}`, async () => ({ method: 'GET', path: await path(), ...more }));

function reads(steps: Preparations): Exchange[] {
  const { tpp, world } = steps;
  const staged = once(() => tpp.stage());
  const approved = once(() => steps.approved());
  const consumed = once(() => steps.approved({}, { ReadRefundAccount: 'Yes' }));
  const settled = once(async () => steps.settled(await consumed()));
  const ofAmount = (initiation: Members) =>
    once(async () => steps.settled(await steps.approved(initiation), initiation));
  const found = {
    settled,
    'without posting': ofAmount(amount('10.97')),
    rejected: ofAmount(amount('10.99')),
    'that waits for an approver': once(() => steps.awaited()),
    unknown: () => Promise.resolve(`${payments}/${unknownId}`),
  };
  const otherTpp = new DomesticTpp({ ...world.otherTpp, version: tpp.version });
  return [
    get('a consent that waits', async () => `${consents}/${await staged()}`),
    get('an authorised consent', async () => `${consents}/${(await approved()).consentId}`),
    get('a consumed consent', async () => (await settled(), `${consents}/${(await consumed()).consentId}`)),
    get('a rejected consent', async () => `${consents}/${await steps.rejected()}`),
    get('a consent in capitals', async () => `${consents}/${(await staged()).toUpperCase()}`),
    get('an unknown consent', () => Promise.resolve(`${consents}/${unknownId}`)),
    get('a consent of another TPP', async () => `${consents}/${await staged()}`, { sender: otherTpp }),
    funds('an authorised consent', approved),
    funds('a consumed consent', async () => (await settled(), consumed())),
    funds('an unknown consent', async () => ({ ...(await approved()), consentId: unknownId })),
    funds('another consent', async () => ({ ...(await approved()), consentId: await staged() })),
    funds('no customer', async () => ({ ...(await approved()), accessToken: tpp.accessToken })),
    ...['', '/payment-details'].flatMap((end) => [
      ...Object.entries(found).map(([name, path]) =>
        get(`a payment ${name}${end}`, async () => `${await path()}${end}`),
      ),
      get(`a payment of another TPP${end}`, async () => `${await settled()}${end}`, { sender: otherTpp }),
    ]),
  ];
}

/** Bodies of payments against an authorised consent, which refusals leave authorised. */
function paymentsOf(steps: Preparations): Exchange[] {
  const { tpp } = steps;
  const { Data, Risk } = wholeConsent(tpp.version);
  const { Initiation } = Data;
  const authorised = once(async () => tpp.approve(await tpp.stage({}, { risk: Risk })));
  const pay = (name: string, body: (consentId: string) => string | Buffer, token?: string): Exchange =>
    exchange(`pay: ${name}`, async () => {
      const { consentId, accessToken } = await authorised();
      return { method: 'POST', path: payments, body: body(consentId), accessToken: token ?? accessToken };
    });
  const request = (ConsentId: string): string => toJson({ Data: { ConsentId, Initiation }, Risk });
  const differing = mutationsOf({ Initiation, Risk }, {}).map(({ name, document }) => {
    const sent = document as { Initiation?: unknown; Risk?: unknown };
    return pay(name, (ConsentId) => toJson({ Data: { ConsentId, Initiation: sent.Initiation }, Risk: sent.Risk }));
  });
  return [
    ...unreadableBodies(request(unknownId)).map(([name, body]) => pay(name, () => body)),
    ...differing,
    pay('another consent', () => request(unknownId)),
    pay('a consent id that is none', () => request('x')),
    pay('without a customer', request, tpp.accessToken),
    exchange('pay: at once', async () => payRequest(tpp, await steps.approved())),
    exchange('pay: a consumed consent', async () => {
      const approved = await steps.approved();
      await tpp.payFor(approved);
      return payRequest(tpp, approved);
    }),
  ];
}

const payRequest = (tpp: DomesticTpp, { consentId, accessToken }: Approved, initiation: Members = {}): SentRequest => ({
  method: 'POST',
  path: payments,
  body: toJson({ Data: { ConsentId: consentId, Initiation: anInitiation(tpp.version, initiation) }, Risk: aRisk }),
  accessToken,
});

/** Idempotency keys: the same request again, and another one. */
function repeated({ tpp }: Preparations): Exchange[] {
  const consent = (name: string, members: Members): Exchange =>
    exchange(`repeated: ${name}`, async () => {
      const key = keyed();
      await tpp.consent({}, { differences: key });
      const Data = { Initiation: anInitiation(tpp.version, members) };
      return { method: 'POST', path: consents, body: toJson({ Data, Risk: aRisk }), ...key };
    });
  const payment = (name: string, members: Members): Exchange =>
    exchange(`repeated: ${name}`, async () => {
      const key = keyed();
      // It waits for its second approver, so that its state is the same each time.
      const approved = await tpp.approve(await tpp.stage(), 'bob', 'Brown & Clark Traders');
      await tpp.payFor(approved, { differences: key });
      return { ...payRequest(tpp, approved, members), ...key };
    });
  return [
    consent('a consent', {}),
    consent('another consent', { InstructionIdentification: 'I-2' }),
    payment('a payment', {}),
    payment('another payment', { InstructionIdentification: 'I-2' }),
  ];
}

/** Headers, tokens and methods of all operations, on something that does not exist. */
function requestsOf({ world }: Preparations): Exchange[] {
  const operations: ['GET' | 'POST', string][] = [
    ['POST', consents],
    ['GET', `${consents}/${unknownId}`],
    ['GET', `${consents}/${unknownId}/funds-confirmation`],
    ['POST', payments],
    ['GET', `${payments}/${unknownId}`],
    ['GET', `${payments}/${unknownId}/payment-details`],
  ];
  const differences: [string, Partial<SentRequest>][] = [
    ['no access token', { headers: { authorization: undefined } }],
    ['Accept: text/xml', { headers: { accept: 'text/xml' } }],
    ['an interaction id that is none', { headers: { 'x-fapi-interaction-id': 'x' } }],
    ['no idempotency key', { headers: { 'x-idempotency-key': undefined } }],
    ['no signature', { headers: { 'x-jws-signature': undefined } }],
    ['another method', { method: 'PUT' }],
    ['no certificate', { agent: world.sandbox.agent }],
    ['the token of another', { accessToken: world.otherTpp.accessToken }],
  ];
  return operations.flatMap(([method, path]) =>
    differences.map(([name, difference]): Exchange =>
      exchange(`${method} ${path}: ${name}`, () => ({
        method,
        path,
        ...(method === 'POST' ? { body: '{}' } : {}),
        ...difference,
      })),
    ),
  );
}

function exchangesOf(steps: Preparations): Exchange[] {
  const staging = consentBodies(steps.tpp.version).map(([name, body]): Exchange =>
    exchange(`stage: ${name}`, () => ({ method: 'POST', path: consents, body })),
  );
  return [...staging, ...paymentsOf(steps), ...reads(steps), ...repeated(steps), ...requestsOf(steps)];
}

/** Single domestic payments in one version: bodies member by member, states, keys, headers. */
export const domesticPayments = (version: ApiVersion): Area => ({
  name: 'domestic-payments',
  version,
  exchanges: (world) => {
    const steps = new Preparations(world, version);
    return exchangesOf(steps).map(({ name, prepare }) =>
      exchange(name, async () => ({ sender: steps.tpp, ...(await prepare()) })),
    );
  },
});
