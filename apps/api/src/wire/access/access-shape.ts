import type { Type } from '@nestjs/common';
import type { AccessKind, AccessTerms } from '#libs/access-consent';
import type { Fault } from '#libs/error-catalogue';
import type { OperationText } from '../file-payment/documents/api-operation.js';
import type { AccessWire, AreaDocument } from '../wire.js';
import type { AccessVersion } from './access-version.js';

/** How one kind of access consents differs from the others, in one version. */
export interface AccessShape {
  readonly kind: AccessKind;
  readonly area: AccessWire['area'];
  /** name of its area in the path */
  readonly path: string;
  readonly read: AccessWire['read'];
  /** @returns the members of Data with what was requested */
  readonly writeTerms: (terms: AccessTerms) => object;
  /** the members besides Data, Links and Meta */
  readonly besideData?: object;
  readonly classes: { readonly request: Type; readonly answer: Type };
  /** its API document, without what the version adds */
  readonly document: Pick<AreaDocument, 'name' | 'title' | 'tags'> & {
    readonly describe: (version: AccessVersion) => string;
  };
  readonly text: {
    readonly tag: string;
    readonly create: OperationText;
    readonly read: OperationText;
    readonly delete: OperationText;
    /** description of a successful DELETE */
    readonly ended: string;
    readonly bodyFaults: readonly Fault[];
    readonly example: { readonly summary: string; readonly body: object; readonly terms: AccessTerms };
  };
}
