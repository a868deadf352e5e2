import { describe, expect, it } from '@jest/globals';
import { anyBank } from '#libs/domestic-payment';
import { checkPaymentFile } from '#libs/file-payment';
import { parseJson } from '#libs/obie-rules';
import { createAccountAccessWire } from '../../../apps/api/src/wire/account-access/account-access-wire.js';
import { createFundsConfirmationWire } from '../../../apps/api/src/wire/funds-confirmation/funds-confirmation-wire.js';
import { accessVersion40 } from '../../../apps/api/src/wire/v4.0/access-version.js';
import { filePaymentWire40 } from '../../../apps/api/src/wire/v4.0/file-payment/file-payment-wire.js';
import { type Json, operationsOf, readDocument } from './api-document.js';
import { bodies } from './full-bodies.js';
import { type Described, find, objectsOf, officialObjects, readOfficial } from './official-objects.js';

const now = new Date('2030-01-15T12:00:00Z');
const funds = createFundsConfirmationWire(accessVersion40);
const accountAccess = createAccountAccessWire(accessVersion40);
const account = {
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: '20000110000001',
  Proxy: { Identification: '+447700900123', Code: 'TELE' },
};
const consent = bodies['CreateFilePaymentConsents 4.0'] as { Data: Json };
const file = bodies['CreateFilePaymentConsentsConsentIdFile 4.0'] as {
  File: { Data: { DomesticPayments: [Json] } };
};
const [payment] = file.File.Data.DomesticPayments;

type Read = (document: Record<string, unknown>) => object;

/** By operation: name of its document, a body with every object, and what reads it. */
const requests: Readonly<Record<Described, readonly [area: string, body: object, read: Read]>> = {
  CreateFilePaymentConsents: [
    'file-payments-4.0',
    consent,
    (body) => filePaymentWire40.read.consent(body, now, anyBank),
  ],
  CreateFilePayments: [
    'file-payments-4.0',
    { Data: { ConsentId: 'c', Initiation: consent.Data['Initiation'] } },
    (body) => filePaymentWire40.read.payment(body, now),
  ],
  CreateAccountAccessConsents: [
    'accounts-4.0',
    { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} },
    (body) => accountAccess.read(body, now),
  ],
  CreateFundsConfirmationConsents: [
    'funds-confirmation-4.0',
    { Data: { DebtorAccount: account } },
    (body) => funds.read(body, now),
  ],
  CreateFundsConfirmations: [
    'funds-confirmation-4.0',
    { Data: { ConsentId: 'c', Reference: 'r', InstructedAmount: { Amount: '1.00', Currency: 'GBP' } } },
    (body) => funds.confirmations.read(body),
  ],
  OBDomestic2: ['file-payments-4.0', payment, readPayment],
};

function readPayment(payment: Record<string, unknown>): object {
  const body = Buffer.from(JSON.stringify({ Data: { DomesticPayments: [payment] } }));
  return checkPaymentFile({ body, fileType: filePaymentWire40.fileType, localInstrument: 'UK.OBIE.FPS', now });
}

/** @returns the paths of the faults of a body, from where it begins */
function faultsOf(read: Read, body: object): (string | undefined)[] {
  const { faults = [] } = read(parseJson(Buffer.from(JSON.stringify(body))) as Record<string, unknown>) as {
    faults?: { code: string; path?: string }[];
  };
  return faults.map(({ code, path }) => `${code} ${path?.replace('Data.DomesticPayments[0].', '')}`);
}

/** @returns the body with an unknown member in the object at a path */
function withUnknown(body: object, path: string): object {
  const copy = JSON.parse(JSON.stringify(body)) as Json;
  const names = path.replaceAll('[]', '.0').split('.').filter(Boolean);
  find(copy, names)['Own'] = 'x';
  return copy;
}

/** @returns the objects of a request as the served document has them */
function readServed(operation: Described): ReturnType<typeof objectsOf> {
  const [area] = requests[operation];
  const document = readDocument(area);
  if (operation === 'OBDomestic2') return objectsOf(document, find(document, ['components', 'schemas', operation]));
  const { path } = operationsOf(area, document).find(({ name }) => name === operation)!;
  const content = find(document, ['paths', path, 'post', 'requestBody', 'content', 'application/json']);
  return objectsOf(document, content['schema'] as Json);
}

describe.each(Object.keys(requests) as Described[])('unknown members in 4.0, %s', (operation) => {
  const [, body, read] = requests[operation];

  it.each(Object.entries(officialObjects[operation]))('%j is %s, as in the official description', (path, form) => {
    expect(faultsOf(read, body)).toEqual([]);
    const at = `${path.replaceAll('[]', '[0]')}.Own`.replace(/^\./, '');
    expect(faultsOf(read, withUnknown(body, path))).toEqual(form === 'closed' ? [`Field.Unexpected ${at}`] : []);
  });

  it('the served document says the same, and has the same objects', () => {
    expect(readServed(operation)).toEqual(officialObjects[operation]);
  });

  it('is what the official description says, where that is given', () => {
    expect(readOfficial(operation) ?? officialObjects[operation]).toEqual(officialObjects[operation]);
  });
});
