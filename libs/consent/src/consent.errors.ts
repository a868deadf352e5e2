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
  | 'AfterCutOffDateTime';

export class ConsentError extends Error {
  readonly code: ConsentErrorCode;

  constructor(code: ConsentErrorCode, message: string) {
    super(message);
    this.name = 'ConsentError';
    this.code = code;
  }
}
