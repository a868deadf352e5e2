import { Injectable } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { BankConnection, type BankAnswer } from './bank-connection.js';
import { parseVerified } from './https-psu-challenges.js';
import { parseText } from './parse-bank-answer.js';
import {
  PsuAuthentication,
  type BankCall,
  type OneTimeCodeVerification,
  type PasswordVerification,
} from './psu-authentication.js';

/** Sign-in through the bank's API (deploy/bank-openapi.yaml, tag psu-authentication). */
@Injectable()
export class HttpsPsuAuthentication extends PsuAuthentication {
  constructor(
    private readonly connection: BankConnection,
    private readonly notes: AuditNotes,
  ) {
    super();
  }

  override async verifyPassword(credentials: {
    username: string;
    password: string;
    call: BankCall;
  }): Promise<PasswordVerification> {
    const { username, password, call } = credentials;
    const answer = await this.#post('verifyPassword', { username, password }, call);
    const refusal = findRefusal(answer);
    if (refusal !== undefined) return refusal;
    return {
      outcome: 'Verified',
      psuId: parseText(answer.body, 'psuId', 128),
      displayName: parseText(answer.body, 'displayName', 140),
    };
  }

  override async verifyOneTimeCode(credentials: {
    psuId: string;
    oneTimeCode: string;
    call: BankCall;
  }): Promise<OneTimeCodeVerification> {
    const { psuId, oneTimeCode, call } = credentials;
    const answer = await this.#post('verifyOneTimeCode', { psuId, oneTimeCode }, call);
    const refusal = findRefusal(answer);
    if (refusal !== undefined) return refusal;
    return parseVerified(answer.body);
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
