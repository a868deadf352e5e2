/** Why a file payment cannot be read or made. The API app maps each code to its answer. */
export type FilePaymentErrorCode =
  'FilePaymentNotFound' | 'FilePaymentOfAnotherClient' | 'FilePaymentOfAnotherVersion' | 'ConsentMismatch';

export class FilePaymentError extends Error {
  /** path of the member at fault, where one is */
  readonly path?: string;

  constructor(
    readonly code: FilePaymentErrorCode,
    message: string,
    path?: string,
  ) {
    super(message);
    this.name = 'FilePaymentError';
    if (path !== undefined) this.path = path;
  }
}
