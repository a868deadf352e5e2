import type { Conditions } from '#libs/obie-rules';
import type { PaymentFormat } from '#libs/file-payment';
import type { Type } from '@nestjs/common';
import type { PaymentText } from '../file-payment/documents/document-text.js';
import type { PaymentVersion, PaymentWords } from '../file-payment/version.js';
import type { DomesticInitiation } from '../wire.js';

/** Classes of a version's request bodies. */
export interface DomesticForms {
  readonly consent: new () => {
    readonly Data: Conditions & { readonly Initiation: object };
    readonly Risk: object;
  };
  readonly payment: new () => {
    readonly Data: { readonly ConsentId: string; readonly Initiation: object };
    readonly Risk: object;
  };
  /** the reader of Data.Initiation */
  readonly format: PaymentFormat;
  /** @returns the stored and compared form of a valid Data.Initiation */
  readonly known: (initiation: object) => object;
}

/** What a version adds to its API document. */
export interface DomesticText extends PaymentText {
  readonly classes: PaymentText['classes'] & { readonly fundsAnswer: Type };
  /** name of a new payment's state */
  readonly firstState: string;
  /** Data.Initiation of the examples */
  readonly example: { readonly initiation: object };
}

/** One version of single domestic payments. */
export interface DomesticVersion extends PaymentVersion {
  readonly forms: DomesticForms;
  readonly words: PaymentWords<DomesticInitiation>;
  readonly text: DomesticText;
}
