import { anInitiation, aPaymentRequest, decimal, toJson, type Members } from '../support/a-consent-request.js';
import { aPaymentFile } from '../support/a-payment-file.js';
import { exchange, type Area, type CorpusWorld, type Exchange, once } from './exchange.js';
import { mutationsOf } from './mutations.js';
import { unreadableBodies } from './unreadable-bodies.js';

const path = '/file-payments';
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
const file = aPaymentFile();
/** What the consent has: every member that a payment may get wrong. */
const agreed: Members = {
  RequestedExecutionDateTime: '2091-01-31T00:00:00+00:00',
  DebtorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678' },
  RemittanceInformation: { Unstructured: 'Salaries', Reference: 'SALARIES' },
  SupplementaryData: { list: [1, { two: 2 }], text: 'x' },
};

const initiation = anInitiation(file, agreed);

/** Other ways to say the same, and what looks like it. */
const variants: [string, Members][] = [
  ['another number of decimals', { ControlSum: decimal('21') }],
  ['an exponent', { ControlSum: decimal('2.1E1') }],
  ['another sum', { ControlSum: decimal('21.01') }],
  ['another zone', { RequestedExecutionDateTime: '2091-01-31T01:00:00+01:00' }],
  ['another instant', { RequestedExecutionDateTime: '2091-01-31T00:00:01+00:00' }],
  [
    'a scheme without its prefix',
    { DebtorAccount: { SchemeName: 'SortCodeAccountNumber', Identification: '20000112345678' } },
  ],
  ['another scheme', { DebtorAccount: { SchemeName: 'UK.OBIE.BBAN', Identification: '20000112345678' } }],
  ['a longer list', { SupplementaryData: { list: [1, { two: 2 }, 3], text: 'x' } }],
  ['another entry of a list', { SupplementaryData: { list: [1, { two: 3 }], text: 'x' } }],
  ['a member that the standard does not know', { Purpose: 'x' }],
  ['members in another order', Object.fromEntries(Object.entries(initiation).toReversed())],
];

/** Bodies that are refused, whatever the consent. */
const ofForm: [string, string | Buffer][] = [
  ...unreadableBodies(aPaymentRequest(unknownId, initiation)),
  ...mutationsOf({ Data: { ConsentId: unknownId, Initiation: initiation } }, { ConsentId: 128, FileReference: 40 }).map(
    ({ name, document }): [string, string] => [name, toJson(document)],
  ),
  ['a consent that does not exist', aPaymentRequest(unknownId, initiation)],
  ['a consent id that is none', aPaymentRequest('x', initiation)],
];

async function exchangesOf({ tpp, otherTpp }: CorpusWorld): Promise<Exchange[]> {
  // Refusals leave it Authorised: one approval does for all of them.
  const authorised = once(async () => (await tpp.authorise(file, { initiation: agreed })).consentId);
  const against = (name: string, members: Members): Exchange =>
    exchange(`against the consent: ${name}`, async () => {
      const body = aPaymentRequest(await authorised(), { ...initiation, ...members });
      return { method: 'POST', path, body };
    });
  const differing = mutationsOf(initiation, {}).map(({ name, document }): Exchange =>
    exchange(`against the consent: ${name}`, async () => ({
      method: 'POST',
      path,
      body: aPaymentRequest(await authorised(), document as Members),
    })),
  );
  // What agrees makes a payment, and needs its own approval.
  const same = new Set(['another number of decimals', 'an exponent', 'another zone', 'a scheme without its prefix']);
  same.add('a member that the standard does not know').add('members in another order');
  return [
    ...ofForm.map(([name, body]): Exchange => exchange(name, () => ({ method: 'POST', path, body }))),
    ...differing,
    ...variants.filter(([name]) => !same.has(name)).map(([name, members]) => against(name, members)),
    exchange('other words for the same', async () => {
      const { consentId } = await tpp.authorise(file, { initiation: agreed });
      const words = variants.filter(([name]) => same.has(name) && name !== 'an exponent').map(([, members]) => members);
      const body = aPaymentRequest(consentId.toUpperCase(), Object.assign({}, initiation, ...words) as Members);
      return { method: 'POST', path, body };
    }),
    exchange('a consent without a file', async () => ({
      method: 'POST',
      path,
      body: aPaymentRequest(await tpp.stageConsent(file), anInitiation(file)),
    })),
    exchange('a consent that nobody has approved', async () => ({
      method: 'POST',
      path,
      body: aPaymentRequest(await tpp.stageFile(file), anInitiation(file)),
    })),
    exchange('the consent of another TPP', async () => ({
      method: 'POST',
      path,
      sender: otherTpp,
      body: aPaymentRequest(await authorised(), initiation),
    })),
  ];
}

/** POST /file-payments: the body, member by member, and against the consent. */
export const payments: Area = { name: 'payments', version: '3.1', exchanges: exchangesOf };
