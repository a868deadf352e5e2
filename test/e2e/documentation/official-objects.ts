import { readFileSync } from 'node:fs';
import type { Json } from './api-document.js';

/** Where an operation's request is described: variable with the path of the official description, and path in it. */
export const described = {
  CreateFilePaymentConsents: ['OBIE_FILE_PAYMENTS_40', '/file-payment-consents'],
  CreateFilePayments: ['OBIE_FILE_PAYMENTS_40', '/file-payments'],
  CreateAccountAccessConsents: ['OBIE_ACCOUNTS_40', '/account-access-consents'],
  CreateFundsConfirmationConsents: ['OBIE_FUNDS_40', '/funds-confirmation-consents'],
  CreateFundsConfirmations: ['OBIE_FUNDS_40', '/funds-confirmations'],
  // A payment of a file is Data.Initiation of a domestic payment.
  OBDomestic2: ['OBIE_DOMESTIC_PAYMENTS_40', '/domestic-payment-consents'],
} as const;

export type Described = keyof typeof described;

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
export const officialObjects: Readonly<Record<Described, Readonly<Record<string, 'closed' | 'open'>>>> = {
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
export function objectsOf(document: Json, schema: Json, path = ''): Record<string, 'closed' | 'open'> {
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
export function find(document: Json, names: readonly string[]): Json {
  return names.reduce((at, name) => at[name] as Json, document);
}

/** @returns the objects of a request as the official description has them; undefined if nobody says where it is */
export function readOfficial(operation: Described): ReturnType<typeof objectsOf> | undefined {
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
