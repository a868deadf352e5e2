import { CommandLineError, SettingsFileError } from '#libs/command-line';
import { explainJobFailure, isDatabaseUnavailable } from '#libs/persistence';
import { OperatorError, type OperatorErrorReason } from './operator-error.js';

/** Exit codes; operators' scripts rely on these numbers. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** `reason` of an error with `--json`, besides the message. */
export interface Failure {
  /** `database`, and `failed` at times, pass by themselves; the others do not */
  readonly reason: OperatorErrorReason | 'usage' | 'configuration' | 'database';
  /** one line if a person can mend it; otherwise the whole stack */
  readonly error: string;
}

/** @returns reason and message of a command's failure */
export function explainFailure(error: unknown): Failure {
  if (error instanceof CommandLineError) return { reason: 'usage', error: error.summary };
  if (error instanceof OperatorError) return { reason: error.reason, error: error.message };
  if (error instanceof SettingsFileError) return { reason: 'configuration', error: error.message };
  const text = explainJobFailure(error);
  if (text !== undefined) return { reason: isDatabaseUnavailable(error) ? 'database' : 'configuration', error: text };
  if (!(error instanceof Error)) return { reason: 'failed', error: String(error) };
  return { reason: 'failed', error: error.stack ?? error.message };
}
