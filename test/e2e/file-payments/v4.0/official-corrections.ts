type Json = Record<string, unknown>;

/** A correction of the official description of v4.0 (Update 4) that answers are validated against. */
export interface Correction {
  /** the corrected part of the description: a schema, or statuses of a response */
  readonly of: string;
  /** the correct rule, in the words of the page on what is supported */
  readonly says: string;
}

/** A correction of a schema. */
export interface SchemaCorrection extends Correction {
  readonly correct: (schema: Json) => Json;
}

const lei = '^[A-Z0-9]{18,18}[0-9]{2,2}$';
/** An integer in v4.0, the text of an amount in 4.0.1. Both are accepted, and shown as sent. */
const documentAmount = { type: ['string', 'integer'] };

/** What 4.0.1 corrects of Update 4, by its changelog. */
export const schemaCorrections: readonly SchemaCorrection[] = [
  {
    of: 'File',
    says: 'an object; the description leaves out the form that `FileType` names',
    correct: () => ({ type: 'object' }),
  },
  {
    of: 'LEI',
    says: `the pattern is \`${lei}\``,
    correct: (schema) => ({ ...schema, pattern: lei }),
  },
  {
    of: 'OBRemittanceInformationStructured',
    says: '`ReferredDocumentAmount` is a string or an integer',
    correct: (schema) => ({
      ...schema,
      properties: { ...(schema['properties'] as Json), ReferredDocumentAmount: documentAmount },
    }),
  },
];

/**
 * What 4.0.1 adds to the answers of every operation with a body: status, and the response of the description that it
 * has.
 */
export const addedResponses: Readonly<Record<string, string>> = { '422': '409Error' };

/** Statuses of HTTP itself, sent before the request reaches this API. */
export const statusesOfHttp: readonly number[] = [421, 503];

/** All of it, in the order of the page on what is supported. */
export const officialCorrections: readonly Correction[] = [
  ...schemaCorrections,
  ...Object.entries(addedResponses).map(([status, response]) => ({
    of: status,
    says: `every operation may answer it, with the body of \`${response}\``,
  })),
  ...statusesOfHttp.map((status) => ({
    of: String(status),
    says: 'an answer of HTTP itself, which the description leaves out',
  })),
];
