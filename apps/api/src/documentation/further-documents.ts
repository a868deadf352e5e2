import type { ListedDocument } from './api-documents.js';

/** An API document of another server behind the service's address, such as the bank's own for accounts. */
export interface FurtherDocument extends ListedDocument {
  /** OpenAPI 3.1, with the addresses as they are */
  readonly content: object;
}

/** Further API documents, given by the program that composes the service. */
export class FurtherDocuments {
  constructor(readonly all: readonly FurtherDocument[]) {}
}
