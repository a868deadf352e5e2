import { randomUUID } from 'node:crypto';
import { hashToken } from '#libs/oauth';
import { requestToken } from '../support/apps/tpp.js';
import { aConsentRequest, anInitiation, aPaymentRequest, decimal, type Members } from '../support/a-consent-request.js';
import { aPaymentFile, type TestPaymentFile } from '../support/a-payment-file.js';
import type { AuthorisedConsent, CustomerName } from '../support/a-tpp.js';
import { until } from '../support/expectations.js';
import type { TestResponse } from '../support/https-request.js';
import { runUnguarded } from '../support/unguarded.js';
import { exchange, type Area, type CorpusWorld, type Exchange, once, type SentRequest } from './exchange.js';

const consents = '/file-payment-consents';

/** Every member of a consent, so that reads show each of them. */
const everything: Members = {
  RequestedExecutionDateTime: '2091-01-31T10:00:00',
  LocalInstrument: 'UK.OBIE.CHAPS',
  DebtorAccount: { SchemeName: 'SortCodeAccountNumber', Identification: '20000112345678', Name: 'Archer Payroll' },
  RemittanceInformation: { Unstructured: 'Salaries', Reference: 'SALARIES' },
  SupplementaryData: { any: { thing: [1, null, 'x'], sum: decimal('1.50') } },
};
/** Pence that the sandbox's bank rejects, accepts without posting, and settles. */
const outcomes = ['10.99', '10.97', '10.50'];
const mixed = aPaymentFile({
  payments: 3,
  item: (index) => ({
    InstructedAmount: { Amount: outcomes[index], Currency: 'GBP' },
    CreditorPostalAddress: { Country: 'GB', AddressLine: ['1 High Street'], Planet: 'Earth' },
    RemittanceInformation: index === 0 ? {} : { Reference: `INV-${index}`, Unstructured: 'Löhne £' },
    Purpose: 'unknown',
  }),
});

const idOf = (response: TestResponse, name: string): string =>
  String((response.json()['Data'] as Record<string, unknown>)[name]);

function readsOf(name: string, consentId: () => Promise<string>): Exchange[] {
  return ['', '/file'].map((end) =>
    exchange(`${name}: GET consent${end}`, async () => ({
      method: 'GET',
      path: `${consents}/${await consentId()}${end}`,
    })),
  );
}

function paymentReadsOf(name: string, filePaymentId: () => Promise<string>): Exchange[] {
  return ['', '/report-file', '/payment-details'].map((end) =>
    exchange(`${name}: GET payment${end}`, async () => ({
      method: 'GET',
      path: `/file-payments/${await filePaymentId()}${end}`,
    })),
  );
}

/** The states that the exchanges start from. */
class Preparations {
  constructor(private readonly world: CorpusWorld) {}

  async stagedWithEverything(): Promise<string> {
    const data = {
      Authorisation: { AuthorisationType: 'Any', CompletionDateTime: '2091-02-28T00:00:00' },
      SCASupportData: { AppliedAuthenticationApproach: 'SCA' },
    };
    const body = aConsentRequest({ initiation: everything, data });
    return idOf(await this.world.tpp.post(consents, body), 'ConsentId');
  }

  async setConsent(consentId: string, change: string): Promise<string> {
    const sql = `UPDATE payment_consents SET ${change} WHERE consent_id = $1`;
    await runUnguarded(this.world.sandbox.database, sql, [consentId]);
    return consentId;
  }

  async setPayment(filePaymentId: string, change: string): Promise<string> {
    const sql = `UPDATE payment_orders SET ${change} WHERE payment_order_id = $1`;
    await runUnguarded(this.world.sandbox.database, sql, [filePaymentId]);
    return filePaymentId;
  }

  authorised(file?: TestPaymentFile, customer?: CustomerName, accountName?: string): Promise<AuthorisedConsent> {
    return this.world.tpp.authorise(file, { ...(customer && { customer }), ...(accountName && { accountName }) });
  }

  /** Paid, with every payment in its final state. */
  async settled(consent: AuthorisedConsent): Promise<string> {
    const { tpp } = this.world;
    const id = idOf(await tpp.pay(consent), 'FilePaymentId');
    await until(async () => {
      const { text } = await tpp.get(`/file-payments/${id}/report-file`);
      return !/"Status":"(?:InitiationPending|Pending|AcceptedSettlementInProcess)"/.test(text);
    });
    return id;
  }

  /** Paid from an account that needs two people; nothing is handed over before the second one has approved. */
  async awaited(): Promise<string> {
    const consent = await this.authorised(undefined, 'bob', 'Brown & Clark Traders');
    return idOf(await this.world.tpp.pay(consent), 'FilePaymentId');
  }
}

function exchangesOf(world: CorpusWorld): Exchange[] {
  const { tpp, otherTpp } = world;
  const steps = new Preparations(world);
  const file = aPaymentFile();
  const staged = once(() => tpp.stageConsent(file));
  const uploaded = once(() => tpp.stageFile(file));
  const rejected = once(async () => steps.setConsent(await tpp.stageFile(file), "status = 'Rejected'"));
  const consumed = once(() => steps.authorised(mixed));
  const settled = once(async () => steps.settled(await consumed()));
  const erased = once(async () => steps.settled(await steps.authorised()));
  const awaited = once(() => steps.awaited());
  const ofOthers = once(async () => {
    const id = await steps.awaited();
    await steps.setPayment(id, "approvals_received = 2, status = 'InitiationCompleted'");
    return id;
  });
  const refused = once(async () => steps.setPayment(await steps.awaited(), "status = 'InitiationFailed'"));
  return [
    ...readsOf(
      'every member',
      once(() => steps.stagedWithEverything()),
    ),
    ...readsOf('AwaitingUpload', staged),
    ...readsOf('AwaitingAuthorisation', uploaded),
    ...readsOf('Rejected', rejected),
    ...readsOf(
      'Authorised',
      once(async () => (await steps.authorised(file)).consentId),
    ),
    ...readsOf('Consumed', async () => (await settled(), (await consumed()).consentId)),
    ...readsOf('no id', () => Promise.resolve('x')),
    ...readsOf('an id in capitals', async () => (await uploaded()).toUpperCase()),
    ...paymentReadsOf('settled', settled),
    ...paymentReadsOf('two approvers, one to come', awaited),
    ...paymentReadsOf('two approvers, both there', ofOthers),
    ...paymentReadsOf('two approvers, one refused', refused),
    ...paymentReadsOf('no id', () => Promise.resolve('x')),
    ...paymentReadsOf('an id in capitals', async () => (await settled()).toUpperCase()),
    ...paymentReadsOf(
      'erased',
      once(async () => eraseFile(world, await erased())),
    ),
    ...[...readsOf('another TPP', uploaded), ...paymentReadsOf('another TPP', settled)].map((exchange): Exchange => ({
      ...exchange,
      prepare: async () => ({ ...(await exchange.prepare()), sender: otherTpp }),
    })),
    exchange('upload: when there is a file', () => upload(uploaded(), file.body)),
    exchange('upload: when Rejected', () => upload(rejected(), file.body)),
    exchange('upload: to no id', () => upload(Promise.resolve('x'), file.body)),
    exchange('upload: to the consent of another TPP', async () => ({
      ...(await upload(tpp.stageConsent(file), file.body)),
      sender: otherTpp,
    })),
    exchange('payment: of a consumed consent', async () => {
      await settled();
      return payment(await consumed(), {});
    }),
    exchange('payment: waits for a second approver', async () =>
      payment(await steps.authorised(undefined, 'bob', 'Brown & Clark Traders'), {}),
    ),
    exchange('payment: at once', async () => payment(await steps.authorised(), {})),
    exchange('payment: with the token of the approval', async () => {
      const consent = await steps.authorised();
      return { ...payment(consent, {}), accessToken: await tpp.exchangeCode(consent) };
    }),
    exchange('a stored file that cannot be read: 500', async () => ({
      method: 'GET',
      path: `${consents}/${await spoilFile(world, await tpp.stageFile())}/file`,
    })),
    exchange('a token of another scope', async () => ({
      method: 'GET',
      path: `${consents}/${await uploaded()}`,
      accessToken: await aTokenForAccounts(world),
    })),
    ...tokensOfApprovals(world, steps),
    ...repeated(world, steps),
  ];
}

const upload = async (consentId: Promise<string>, body: string | Buffer): Promise<SentRequest> => ({
  method: 'POST',
  path: `${consents}/${await consentId}/file`,
  body,
});

const payment = ({ consentId, initiation }: AuthorisedConsent, differences: Members): SentRequest => ({
  method: 'POST',
  path: '/file-payments',
  body: aPaymentRequest(consentId, { ...initiation, ...differences }),
});

/** The token of an approval is valid for one consent only. */
function tokensOfApprovals({ tpp }: CorpusWorld, steps: Preparations): Exchange[] {
  const own = once(async () => {
    const consent = await steps.authorised();
    return { consent, accessToken: await tpp.exchangeCode(consent) };
  });
  const withToken = (
    name: string,
    sent: (consent: AuthorisedConsent) => SentRequest | Promise<SentRequest>,
  ): Exchange =>
    exchange(`token of an approval: ${name}`, async () => {
      const { consent, accessToken } = await own();
      return { ...(await sent(consent)), accessToken };
    });
  return [
    withToken('another consent', async () => payment(await steps.authorised(), {})),
    withToken('stages a consent', () => ({ method: 'POST', path: consents, body: aConsentRequest() })),
    withToken('reads its consent', ({ consentId }) => ({ method: 'GET', path: `${consents}/${consentId}` })),
    withToken('reads its file', ({ consentId }) => ({ method: 'GET', path: `${consents}/${consentId}/file` })),
    withToken('uploads', ({ consentId }) => ({
      method: 'POST',
      path: `${consents}/${consentId}/file`,
      body: aPaymentFile().body,
    })),
  ];
}

const again = (name: string, prepare: (key: string) => Promise<SentRequest>): Exchange =>
  exchange(`repeated: ${name}`, async () => {
    const headers = { 'x-idempotency-key': randomUUID() };
    return { ...(await prepare(headers['x-idempotency-key'])), headers };
  });
const keyed = (key: string) => ({ headers: { 'x-idempotency-key': key } });

/** Idempotency keys: the same request again, and another one. */
function repeated({ tpp }: CorpusWorld, steps: Preparations): Exchange[] {
  const file = aPaymentFile();
  const staging = (body: string, other: string) => async (key: string) => {
    await tpp.post(consents, body, keyed(key));
    return { method: 'POST', path: consents, body: other };
  };
  const uploading = (other: Buffer) => async (key: string) => {
    const consentId = await tpp.stageConsent(file);
    await tpp.upload(consentId, file, keyed(key));
    return { method: 'POST', path: `${consents}/${consentId}/file`, body: other };
  };
  const paying = (other: (consent: AuthorisedConsent) => SentRequest) => async (key: string) => {
    // It waits for its second approver, so that its state is the same each time.
    const consent = await steps.authorised(undefined, 'bob', 'Brown & Clark Traders');
    await tpp.pay(consent, keyed(key));
    return other(consent);
  };
  const [body, other] = [aConsentRequest({ file }), aConsentRequest({ file, initiation: { FileReference: 'OTHER' } })];
  const reordered = JSON.stringify({ Data: { Initiation: anInitiation(file, { ControlSum: 21 }) } }, undefined, 1);
  return [
    again('a consent', staging(body, body)),
    again('a consent in other words', staging(body, reordered)),
    again('another consent', staging(body, other)),
    again('a faulty consent', staging(body, '{}')),
    again('a file', uploading(file.body)),
    again('another file', uploading(aPaymentFile({ payments: 3 }).body)),
    again('a file that cannot be read', uploading(Buffer.from('{'))),
    again(
      'a payment',
      paying((consent) => payment(consent, {})),
    ),
    again(
      'another payment',
      paying((consent) => payment(consent, { FileReference: 'OTHER' })),
    ),
    again(
      'a faulty payment',
      paying(() => ({ method: 'POST', path: '/file-payments', body: '{}' })),
    ),
  ];
}

/** As housekeeping leaves an erased file. */
async function eraseFile({ sandbox }: CorpusWorld, filePaymentId: string): Promise<string> {
  const sql = `UPDATE payment_files SET content = '', erased_at = now()
    WHERE consent_id = (SELECT consent_id FROM payment_orders WHERE payment_order_id = $1)`;
  await runUnguarded(sandbox.database, sql, [filePaymentId]);
  return filePaymentId;
}

/** A fault of the service itself, to see what the answer reveals. */
async function spoilFile({ sandbox }: CorpusWorld, consentId: string): Promise<string> {
  await sandbox.database.query("UPDATE payment_files SET content = 'rubbish' WHERE consent_id = $1", [consentId]);
  return consentId;
}

async function aTokenForAccounts({ tpp, sandbox }: CorpusWorld): Promise<string> {
  const { client, provider, credentials, clientId } = tpp;
  const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
  const { access_token: accessToken } = await requestToken({ client, provider, credentials, clientId, grant });
  const hash = hashToken(accessToken);
  await sandbox.database.query("UPDATE access_tokens SET scope = '{accounts}' WHERE token_hash = $1", [hash]);
  return accessToken;
}

/** Reads in every state, forbidden steps, repeated requests and the tokens of approvals. */
export const states: Area = { name: 'states', version: '3.1', exchanges: exchangesOf };
