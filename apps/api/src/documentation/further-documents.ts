import type { ListedDocument } from './api-documents.js';

/** An API document of what another server answers at the address of the service, such as a bank's own for accounts. */
export interface FurtherDocument extends ListedDocument {
  /** OpenAPI 3.1, with the addresses as they are */
  readonly content: object;
}

/** The API documents that whoever composes the service shows beside its own. */
export class FurtherDocuments {
  constructor(readonly all: readonly FurtherDocument[]) {}
}
