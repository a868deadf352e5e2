/** Why a file payment cannot be read or made. The API app maps each code to its answer. */
export type FilePaymentErrorCode = 'FilePaymentNotFound' | 'FilePaymentOfAnotherClient' | 'ConsentMismatch';

export class FilePaymentError extends Error {
  readonly code: FilePaymentErrorCode;
  /** path of the member at fault, where one is */
  readonly path?: string;

  constructor(code: FilePaymentErrorCode, message: string, path?: string) {
    super(message);
    this.name = 'FilePaymentError';
    this.code = code;
    if (path !== undefined) this.path = path;
  }
}
