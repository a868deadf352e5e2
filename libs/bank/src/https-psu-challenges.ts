import { Injectable } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { BankConnection } from './bank-connection.js';
import { parseMoment, parsePattern, parseWord, type AnswerObject } from './parse-bank-answer.js';
import type { BankCall } from './psu-authentication.js';
import {
  PsuChallenges,
  type Challenge,
  type ChallengeBinding,
  type ChallengeStart,
  type ChallengeStatus,
  type ChallengeVerification,
} from './psu-challenges.js';

const path = '/psu-authentication/challenges';

/** Challenges through the bank's API (deploy/bank-openapi.yaml, tag psu-authentication). */
@Injectable()
export class HttpsPsuChallenges extends PsuChallenges {
  constructor(
    private readonly connection: BankConnection,
    private readonly notes: AuditNotes,
  ) {
    super();
  }

  override async start({ binding, call }: { binding: ChallengeBinding; call: BankCall }): Promise<ChallengeStart> {
    const { status, body } = await this.connection.send({
      operation: 'startChallenge',
      method: 'POST',
      path,
      body: binding,
      expected: [200, 404, 423],
      call,
    });
    if (status === 404) return { outcome: 'NotOffered' };
    if (status === 423) return this.#locked();
    return { outcome: 'Started', challenge: parseChallenge(body) };
  }

  override async findStatus({ challengeId, call }: { challengeId: string; call: BankCall }): Promise<ChallengeStatus> {
    const { status, body } = await this.connection.send({
      operation: 'findChallenge',
      method: 'GET',
      path: `${path}/${encodeURIComponent(challengeId)}`,
      expected: [200, 404],
      call,
    });
    if (status === 404) return 'Used';
    return parseWord<ChallengeStatus>(body, 'status', ['Pending', 'Approved', 'Refused', 'Expired', 'Used']);
  }

  override async verify(request: {
    challengeId: string;
    oneTimeCode?: string;
    binding: ChallengeBinding;
    call: BankCall;
  }): Promise<ChallengeVerification> {
    const { challengeId, oneTimeCode, binding, call } = request;
    const { status, body } = await this.connection.send({
      operation: 'verifyChallenge',
      method: 'POST',
      path: `${path}/${encodeURIComponent(challengeId)}/verification`,
      body: { ...(oneTimeCode !== undefined && { oneTimeCode }), binding },
      expected: [200, 401, 404, 409, 410, 423],
      call,
    });
    if (status === 423) return this.#locked();
    if (status === 401) {
      this.notes.note({ action: 'psu.authentication-failed', reason: 'challenge' });
      return { outcome: 'InvalidCredentials' };
    }
    return status === 200 ? parseVerified(body) : { outcome: 'Over' };
  }

  #locked(): { outcome: 'Locked' } {
    this.notes.note({ action: 'psu.locked', reason: 'challenge' });
    return { outcome: 'Locked' };
  }
}

function parseChallenge(body: AnswerObject): Challenge {
  const method = parseWord(body, 'method', ['Code', 'Push', 'CodeOrPush']);
  const expiresAt = parseMoment(body, 'expiresAt');
  const codeBy = body['codeBy'] === undefined ? undefined : parseWord(body, 'codeBy', ['TextMessage', 'Device']);
  const challengeId = parsePattern(body, 'challengeId', /^[0-9A-Za-z_-]{1,64}$/);
  return { challengeId, method, expiresAt, ...(codeBy !== undefined && { codeBy }) };
}

export function parseVerified(body: AnswerObject): Extract<ChallengeVerification, { outcome: 'Verified' }> {
  return {
    outcome: 'Verified',
    authenticatedAt: parseMoment(body, 'authenticatedAt'),
    acr: parsePattern(body, 'acr', /^[\x21-\x7e]{1,128}$/),
  };
}
