import type { ConsentStatus } from '#libs/obie-rules';

/** Why a consent cannot be used. The API app maps each code to its answer. */
export type ConsentErrorCode =
  | 'ConsentNotFound'
  | 'ConsentOfAnotherClient'
  | 'ConsentOfAnotherVersion'
  | 'AlreadyThere'
  | 'InvalidConsentStatus'
  | 'IdempotencyKeyReused'
  | 'IdempotencyKeyInUse'
  | 'FileNotUploaded'
  | 'AfterCutOffDateTime'
  | 'ClientNotActive';

export class ConsentError extends Error {
  constructor(
    readonly code: ConsentErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'ConsentError';
  }
}

/** A consent whose status does not allow a step. Each version of the API has its own names for statuses. */
export class ConsentStatusError extends ConsentError {
  /** @returns the message with the statuses as a version names them */
  readonly messageIn: (nameOf: (status: ConsentStatus) => string) => string;

  constructor(code: 'AlreadyThere' | 'InvalidConsentStatus', messageIn: ConsentStatusError['messageIn']) {
    super(
      code,
      messageIn((status) => status),
    );
    this.messageIn = messageIn;
  }
}
