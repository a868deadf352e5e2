import type { ApiVersion } from '../../support/a-payment-file.js';

type Json = Record<string, unknown>;

/** A correction of the official description that answers are validated against. */
export interface Correction {
  /** the corrected part of the description: a schema, or statuses of a response */
  readonly of: string;
  /** the correct rule, in the words of the page on what is supported */
  readonly says: string;
}

/** A correction of a schema. */
interface SchemaCorrection extends Correction {
  readonly correct: (schema: Json) => Json;
}

const lei = '^[A-Z0-9]{18,18}[0-9]{2,2}$';
/** An integer in v4.0, the text of an amount in 4.0.1. Both are accepted, and shown as sent. */
const documentAmount = { type: ['string', 'integer'] };

const fileOfItsType: SchemaCorrection = {
  of: 'File',
  says: 'an object; the description leaves out the form that `FileType` names',
  correct: () => ({ type: 'object' }),
};

/** The corrections of a version's description. */
export interface Corrections {
  readonly ofSchemas: readonly SchemaCorrection[];
  /** Further answers of every operation with a body: status, and its response in the description. */
  readonly addedResponses: Readonly<Record<string, string>>;
}

/** 3.1.11 with what stays of 3.1.2, and Update 4 of v4.0 with what 4.0.1 corrects, by its changelog. */
export const correctionsOf: Readonly<Record<ApiVersion, Corrections>> = {
  '3.1': {
    ofSchemas: [
      fileOfItsType,
      {
        of: 'OBSCASupportData1',
        says: '`ReferencePaymentOrderId` has up to 128 characters, as in 3.1.2',
        correct: (schema) =>
          withProperty(schema, 'ReferencePaymentOrderId', { type: 'string', minLength: 1, maxLength: 128 }),
      },
      {
        of: 'OBRisk1',
        says: '`ContractPresentIndicator` and `BeneficiaryPaymentDetailsPrepopulatedIndicator`, as the pages spell them, are shown as sent',
        correct: (schema) =>
          ['ContractPresentIndicator', 'BeneficiaryPaymentDetailsPrepopulatedIndicator'].reduce(
            (corrected, name) => withProperty(corrected, name, { type: 'boolean' }),
            schema,
          ),
      },
    ],
    addedResponses: {},
  },
  '4.0': {
    ofSchemas: [
      fileOfItsType,
      {
        of: 'LEI',
        says: `the pattern is \`${lei}\``,
        correct: (schema) => ({ ...schema, pattern: lei }),
      },
      {
        of: 'OBRemittanceInformationStructured',
        says: '`ReferredDocumentAmount` is a string or an integer',
        correct: (schema) => withProperty(schema, 'ReferredDocumentAmount', documentAmount),
      },
      {
        of: 'OBWritePaymentDetails1',
        says: '`Status` may be `RCVD`, as that of the payment',
        correct: (schema) => {
          const { Status } = schema['properties'] as { Status: { enum: string[] } };
          return withProperty(schema, 'Status', { ...Status, enum: ['RCVD', ...Status.enum] });
        },
      },
    ],
    addedResponses: { '422': '409Error' },
  },
};

/** Statuses of HTTP itself, sent before the request reaches this API. */
export const statusesOfHttp: readonly number[] = [408, 421, 431, 503];

/** @returns all corrections of a version, as the page on what is supported lists them */
export function officialCorrections(version: ApiVersion): readonly Correction[] {
  const { ofSchemas, addedResponses } = correctionsOf[version];
  return [
    ...ofSchemas,
    ...Object.entries(addedResponses).map(([status, response]) => ({
      of: status,
      says: `every POST may answer it, with the body of \`${response}\`: a different body under one idempotency key`,
    })),
    ...statusesOfHttp.map((status) => ({
      of: String(status),
      says: 'an answer of HTTP itself, which the description leaves out',
    })),
  ];
}

function withProperty(schema: Json, name: string, property: Json): Json {
  return { ...schema, properties: { ...(schema['properties'] as Json), [name]: property } };
}
