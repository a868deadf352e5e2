import type { HttpsResponse } from '../https-client.js';

/** The faults in an answer. */
export interface Faults {
  /** for a person: one line for each fault */
  readonly lines: readonly string[];
  /** for a program */
  readonly members: Readonly<Record<string, unknown>>;
}

/** @returns the faults of a refusal; undefined for any other answer, or if no program can read them */
export function readFaults({ status, body }: HttpsResponse): Faults | undefined {
  if (status < 400) return undefined;
  const said = readJson(body);
  const { Errors, error, error_description: description } = said;
  if (Array.isArray(Errors)) {
    const errors = Errors as readonly { ErrorCode?: string; Message?: string; Path?: string }[];
    const lines = errors.map(
      ({ ErrorCode, Message, Path = '' }) => `  ${[ErrorCode, Path].join(' ').trim()}: ${Message}`,
    );
    return { lines, members: { status, errors } };
  }
  if (typeof error !== 'string') return undefined;
  return {
    lines: [`  ${[error, description].filter(Boolean).join(': ')}`],
    members: { status, oauth_error: error, ...(description !== undefined && { oauth_error_description: description }) },
  };
}

function readJson(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // A page or an empty body: no faults to read.
    return {};
  }
}
