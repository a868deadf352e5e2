/**
 * A payment that says everything that the standard lets it say.
 * @param options.longest most characters of each text; absent: as many as the standard allows
 */
export function theLongestPayment(
  version: '3.1' | '4.0',
  options?: { character?: string; longest?: number },
): Record<string, unknown>;
