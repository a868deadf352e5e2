import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/config';
import { PsuAuthentication } from './psu-authentication.js';
import {
  PsuChallenges,
  type ChallengeAnswer,
  type ChallengeStart,
  type ChallengeStatus,
  type ChallengeVerification,
} from './psu-challenges.js';

/** How long the page asks for a code. */
const challengeMilliseconds = 600_000;

/**
 * For a bank without challenges (setting UNBOUND_ONE_TIME_CODES): its codes have no dynamic linking; only this service
 * ensures that a code is used for one decision. This does not meet SCA-RTS art. 5.
 */
@Injectable()
export class UnboundOneTimeCodes extends PsuChallenges {
  constructor(
    private readonly authentication: PsuAuthentication,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async start(): Promise<ChallengeStart> {
    const expiresAt = new Date(this.clock.now().getTime() + challengeMilliseconds);
    return { outcome: 'Started', challenge: { challengeId: randomUUID(), method: 'Code', expiresAt } };
  }

  override async findStatus(): Promise<ChallengeStatus> {
    return 'Pending';
  }

  override async verify({ oneTimeCode, binding, call }: ChallengeAnswer): Promise<ChallengeVerification> {
    if (oneTimeCode === undefined) return { outcome: 'Over' };
    return this.authentication.verifyOneTimeCode({ psuId: binding.psuId, oneTimeCode, call });
  }
}
