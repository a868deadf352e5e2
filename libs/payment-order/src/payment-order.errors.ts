/** Why a file payment cannot be read or made. The API app maps each code to its answer. */
export type PaymentOrderErrorCode =
  'PaymentOrderNotFound' | 'PaymentOrderOfAnotherClient' | 'PaymentOrderOfAnotherVersion' | 'ConsentMismatch';

export class PaymentOrderError extends Error {
  /** path of the faulty member, if there is one */
  readonly path?: string;

  constructor(
    readonly code: PaymentOrderErrorCode,
    message: string,
    path?: string,
  ) {
    super(message);
    this.name = 'PaymentOrderError';
    if (path !== undefined) this.path = path;
  }
}
