import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { checkPaymentFile } from '#libs/file-payment';
import { anyBank, parseJson } from '#libs/obie-rules';
import {
  createAccountAccessWire,
  createFundsConfirmationWire,
  accessVersion40,
  filePaymentWire40,
} from '../../support/apps/wires.js';
import { type Json, operationsOf, readDocument } from './api-document.js';
import { bodies } from './full-bodies.js';

/** Where an operation's request is described: variable with the path of the official description, and path in it. */
const described = {
  CreateFilePaymentConsents: ['OBIE_FILE_PAYMENTS_40', '/file-payment-consents'],
  CreateFilePayments: ['OBIE_FILE_PAYMENTS_40', '/file-payments'],
  CreateAccountAccessConsents: ['OBIE_ACCOUNTS_40', '/account-access-consents'],
  CreateFundsConfirmationConsents: ['OBIE_FUNDS_40', '/funds-confirmation-consents'],
  CreateFundsConfirmations: ['OBIE_FUNDS_40', '/funds-confirmations'],
  // A payment of a file is Data.Initiation of a domestic payment.
  OBDomestic2: ['OBIE_DOMESTIC_PAYMENTS_40', '/domestic-payment-consents'],
} as const;

type Described = keyof typeof described;

const initiation = {
  'Data.Initiation': 'closed',
  'Data.Initiation.CreditorAgent': 'closed',
  'Data.Initiation.CreditorAgent.PostalAddress': 'closed',
  'Data.Initiation.DebtorAccount': 'closed',
  'Data.Initiation.DebtorAccount.Proxy': 'open',
  'Data.Initiation.UltimateDebtor': 'open',
  'Data.Initiation.UltimateDebtor.PostalAddress': 'closed',
  'Data.Initiation.RemittanceInformation': 'open',
  'Data.Initiation.RemittanceInformation.Structured[]': 'open',
  'Data.Initiation.RemittanceInformation.Structured[].ReferredDocumentInformation[]': 'open',
  'Data.Initiation.RemittanceInformation.Structured[].CreditorReferenceInformation': 'open',
  'Data.Initiation.SupplementaryData': 'open',
} as const;

/**
 * Every object of the requests of v4.0, and whether the official description (v4.0, Update 4) closes it
 * (`additionalProperties: false`); recorded, because the description is not part of this repository.
 */
const officialObjects: Readonly<Record<Described, Readonly<Record<string, 'closed' | 'open'>>>> = {
  CreateFilePaymentConsents: {
    '': 'closed',
    Data: 'closed',
    ...initiation,
    'Data.Authorisation': 'closed',
    'Data.SCASupportData': 'open',
  },
  CreateFilePayments: { '': 'closed', Data: 'closed', ...initiation },
  CreateAccountAccessConsents: { '': 'open', Data: 'open', Risk: 'closed' },
  CreateFundsConfirmationConsents: {
    '': 'closed',
    Data: 'open',
    'Data.DebtorAccount': 'open',
    'Data.DebtorAccount.Proxy': 'open',
  },
  CreateFundsConfirmations: { '': 'closed', Data: 'open', 'Data.InstructedAmount': 'open' },
  OBDomestic2: {
    '': 'closed',
    InstructedAmount: 'closed',
    DebtorAccount: 'closed',
    'DebtorAccount.Proxy': 'open',
    CreditorAgent: 'closed',
    'CreditorAgent.PostalAddress': 'closed',
    CreditorAccount: 'closed',
    'CreditorAccount.Proxy': 'open',
    CreditorPostalAddress: 'closed',
    UltimateCreditor: 'open',
    'UltimateCreditor.PostalAddress': 'closed',
    UltimateDebtor: 'open',
    'UltimateDebtor.PostalAddress': 'closed',
    'RegulatoryReporting[]': 'open',
    'RegulatoryReporting[].Authority': 'open',
    'RegulatoryReporting[].Details[]': 'open',
    'RegulatoryReporting[].Details[].Amount': 'closed',
    RemittanceInformation: 'open',
    'RemittanceInformation.Structured[]': 'open',
    'RemittanceInformation.Structured[].ReferredDocumentInformation[]': 'open',
    'RemittanceInformation.Structured[].CreditorReferenceInformation': 'open',
    SupplementaryData: 'open',
  },
};

/** @returns every object of a schema by its path, and whether it is closed */
function objectsOf(document: Json, schema: Json, path = ''): Record<string, 'closed' | 'open'> {
  const {
    type,
    additionalProperties,
    properties = {},
    items,
  } = resolve(document, schema) as {
    type?: string;
    additionalProperties?: unknown;
    properties?: Record<string, Json>;
    items?: Json;
  };
  const own = type === 'object' ? { [path]: additionalProperties === false ? 'closed' : 'open' } : {};
  const inside = Object.entries(properties).map(([name, each]) =>
    objectsOf(document, each, path === '' ? name : `${path}.${name}`),
  );
  return Object.assign(own, ...inside, items && objectsOf(document, items, `${path}[]`)) as ReturnType<
    typeof objectsOf
  >;
}

function resolve(document: Json, schema: Json): Json {
  const [only] = (schema['allOf'] ?? []) as Json[];
  const $ref = (schema['$ref'] ?? only?.['$ref']) as string | undefined;
  if ($ref === undefined) return schema;
  return resolve(document, find(document, $ref.slice(2).split('/')));
}

/** @returns a schema of a document: that of a request, or by its name */
function find(document: Json, names: readonly string[]): Json {
  return names.reduce((at, name) => at[name] as Json, document);
}

/** @returns the objects of a request as the official description has them; undefined if nobody says where it is */
function readOfficial(operation: Described): ReturnType<typeof objectsOf> | undefined {
  const [variable, path] = described[operation];
  const file = process.env[variable];
  if (file === undefined) return undefined;
  const document = JSON.parse(readFileSync(file, 'utf8')) as Json;
  const body = resolve(document, find(document, ['paths', path, 'post', 'requestBody']));
  const [content] = Object.values(body['content'] as Record<string, Json>);
  const schema = resolve(document, content!['schema'] as Json);
  if (operation !== 'OBDomestic2') return objectsOf(document, schema);
  const data = resolve(document, find(schema, ['properties', 'Data']));
  return objectsOf(document, find(data, ['properties', 'Initiation']));
}

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
