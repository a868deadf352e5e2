import type { Config } from '#libs/config';
import { importOnce } from './import-once.js';

/** What the log may say of it, and no answer. */
export const signingReason = 'The signing service does not answer.';

/**
 * Runs while no key of the service signs, as if all were at a signing service that is away.
 * @returns what it gave, and how many answers of the API were to be signed meanwhile
 */
export async function whileNothingIsSigned<T>(
  { signing }: Pick<Config, 'signing'>,
  run: () => Promise<T>,
): Promise<{ result: T; answers: number }> {
  // The sandbox's own, which is outside the suite.
  const { SigningUnavailableError } =
    await importOnce<typeof import('../../libs/jws/src/index.js')>('../../libs/jws/src/index.ts');
  let answers = 0;
  const signs = signing.keys.map(({ sign }) => sign);
  for (const key of signing.keys) {
    key.sign = (header) => {
      if ('http://openbanking.org.uk/iss' in header) answers += 1;
      return Promise.reject(new SigningUnavailableError(signingReason));
    };
  }
  try {
    const result = await run();
    return { result, answers };
  } finally {
    for (const [index, key] of signing.keys.entries()) key.sign = signs[index] ?? key.sign;
  }
}
