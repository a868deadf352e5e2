import type { Type } from '@nestjs/common';
import type { AccessConsent } from '#libs/access-consent';
import type { AnswerHeader, Members } from '#libs/api-description';
import type { ErrorBodyWriter } from '#libs/error-envelope';
import type { AccessConsentStatus } from '#libs/obie-rules';
import type { WireClass } from '../form/members.js';

/** How one version of access consents differs from the others, for every kind. */
export interface AccessVersion {
  readonly version: string;
  /** of the standard */
  readonly edition: string;
  /** what distinguishes its API documents from those of other versions */
  readonly documentSuffix: { readonly name: string; readonly title: string };
  /** path prefix of its areas, without leading or trailing slash */
  readonly root: string;
  readonly errorBody: ErrorBodyWriter;
  readonly areLimitsTold: boolean;
  /** whether unknown members of closed objects are faults */
  readonly isClosed: boolean;
  readonly words: {
    readonly stateName: (status: AccessConsentStatus) => string;
    /** the reason for a consent's status; undefined if the version has none */
    readonly reasons?: (consent: AccessConsent) => readonly object[];
  };
  /** the members of an answer with the status of a consent */
  readonly state: Members;
  readonly classes: {
    readonly error: Type;
    /** the account in a request */
    readonly debtorAccount: WireClass;
  };
  /** headers of every answer to a known client */
  readonly headers: readonly AnswerHeader[];
}
