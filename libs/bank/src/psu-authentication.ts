import { Injectable } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { type BankAnswer, type BankCall, BankConnection } from './bank-connection.js';
import { type AnswerObject, parseMoment, parsePattern, parseText } from './parse-bank-answer.js';

interface PasswordAttempt {
  readonly username: string;
  readonly password: string;
  readonly call: BankCall;
}

interface OneTimeCodeAttempt {
  /** as {@link PsuAuthentication.verifyPassword} gave it */
  readonly psuId: string;
  readonly oneTimeCode: string;
  readonly call: BankCall;
}

/** The bank's answer about a user name and password. */
export type PasswordVerification =
  | { readonly outcome: 'Verified'; readonly psuId: string; readonly displayName: string }
  | { readonly outcome: 'InvalidCredentials' }
  | { readonly outcome: 'Locked' };

/** The bank's answer about a one-time code. `acr` is the level that it asserts, e.g. urn:openbanking:psd2:sca. */
export type OneTimeCodeVerification =
  | { readonly outcome: 'Verified'; readonly authenticatedAt: Date; readonly acr: string }
  | { readonly outcome: 'InvalidCredentials' }
  | { readonly outcome: 'Locked' };

/**
 * Strong customer authentication, done by the bank in two steps (PSD2 RTS art. 4). The bank counts failures and locks;
 * this service never sees a stored credential and never repeats a call.
 * By the bank's API: deploy/bank-openapi.yaml, tag psu-authentication.
 */
@Injectable()
export class PsuAuthentication {
  constructor(
    private readonly connection: BankConnection,
    private readonly notes: AuditNotes,
  ) {}

  /**
   * Checks the knowledge factor.
   * @returns the bank's own, stable id of the PSU, or why not
   * @throws BankUnavailableError, BankAnswerError
   */
  async verifyPassword({ call, ...attempt }: PasswordAttempt): Promise<PasswordVerification> {
    const answer = await this.#post('verifyPassword', attempt, call);
    const refusal = findRefusal(answer);
    if (refusal !== undefined) return refusal;
    return {
      outcome: 'Verified',
      psuId: parseText(answer.body, 'psuId', 128),
      displayName: parseText(answer.body, 'displayName', 140),
    };
  }

  /**
   * Checks the possession factor.
   * @throws BankUnavailableError, BankAnswerError
   */
  async verifyOneTimeCode({ call, ...attempt }: OneTimeCodeAttempt): Promise<OneTimeCodeVerification> {
    const answer = await this.#post('verifyOneTimeCode', attempt, call);
    return findRefusal(answer) ?? parseVerified(answer.body);
  }

  // No idempotency key, so the connection never repeats it: a repeated attempt would count towards the lock.
  async #post(operation: keyof typeof steps, body: object, call: BankCall): Promise<BankAnswer> {
    const { path, step } = steps[operation];
    const request = { operation, method: 'POST', path, body, call, expected: [200, 401, 423] } as const;
    const answer = await this.connection.send(request);
    if (answer.status === 401) this.notes.note({ action: 'psu.authentication-failed', reason: step });
    if (answer.status === 423) this.notes.note({ action: 'psu.locked', reason: step });
    return answer;
  }
}

const steps = {
  verifyPassword: { path: '/psu-authentication/password', step: 'password' },
  verifyOneTimeCode: { path: '/psu-authentication/one-time-code', step: 'one-time code' },
} as const;

function findRefusal({ status }: BankAnswer): { outcome: 'InvalidCredentials' | 'Locked' } | undefined {
  if (status === 401) return { outcome: 'InvalidCredentials' };
  return status === 423 ? { outcome: 'Locked' } : undefined;
}

export function parseVerified(body: AnswerObject): Extract<OneTimeCodeVerification, { outcome: 'Verified' }> {
  return {
    outcome: 'Verified',
    authenticatedAt: parseMoment(body, 'authenticatedAt'),
    acr: parsePattern(body, 'acr', /^[\x21-\x7e]{1,128}$/),
  };
}
