/**
 * The bank gave no answer in time, or said that it cannot answer now (429, 5xx). The effect of the call is unknown:
 * repeat it with the same idempotency key. The message never contains what was sent or received.
 */
export class BankUnavailableError extends Error {
  override readonly name = 'BankUnavailableError';
}

/** The bank refused the request for good (400, 422): it had no effect, and repeating it is useless. */
export class BankRefusedError extends Error {
  override readonly name = 'BankRefusedError';
}

/** The bank's answer does not follow its API. Repeating will not help; an operator must investigate. */
export class BankAnswerError extends Error {
  override readonly name = 'BankAnswerError';
}

/** The bank knows a later attempt at the same file payment: the caller has lost it to another worker and must stop. */
export class BankFencedError extends Error {
  override readonly name = 'BankFencedError';
}
