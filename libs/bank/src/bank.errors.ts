/**
 * The bank gave no answer in time, or said that it cannot answer now (429, 5xx). Nothing is known about the effect of
 * the call: repeat it with the same idempotency key. The message never holds what was sent or received.
 */
export class BankUnavailableError extends Error {
  override readonly name = 'BankUnavailableError';
}

/**
 * The bank has looked at the request and will never do what it asks (400, 422): nothing happened, and nothing would
 * if it were repeated.
 */
export class BankRefusedError extends Error {
  override readonly name = 'BankRefusedError';
}

/** The bank answered, but not as its API says. Repeating will not help; somebody has to look. */
export class BankAnswerError extends Error {
  override readonly name = 'BankAnswerError';
}

/**
 * The bank has heard of a later attempt at the same file payment: whoever asks has lost it to somebody else, and
 * leaves it alone.
 */
export class BankFencedError extends Error {
  override readonly name = 'BankFencedError';
}
