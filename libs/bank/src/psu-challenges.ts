import { Injectable } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { type BankCall, BankConnection } from './bank-connection.js';
import { type AnswerObject, parseMoment, parsePattern, parseWord } from './parse-bank-answer.js';
import type { AccountIdentification } from './payment-accounts.js';
import { type OneTimeCodeVerification, parseVerified } from './psu-authentication.js';

/** The requesting TPP, as the pages show it. */
export interface ChallengeTpp {
  readonly clientName: string;
  readonly organisationName: string;
  readonly organisationId: string;
  /** in the register of its competent authority, e.g. PSDGB-FCA-123456; undefined: the directory does not say */
  readonly registerNumber?: string;
  /** for whom the client acts as an agent */
  readonly onBehalfOf?: string;
}

interface AnyBinding {
  readonly psuId: string;
  /** x-fapi-interaction-id of the request that started the challenge */
  readonly interactionId: string;
}

/** A file of payments: the total of the batch and the specified payees (SCA-RTS art. 5(3)(b)). */
export interface PaymentBinding extends AnyBinding {
  readonly purpose: 'Payment';
  /** the ConsentId */
  readonly fileId: string;
  /** decimal text */
  readonly total: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly numberOfPayments: number;
  /** SHA-256 over all payees and amounts, base64url */
  readonly payeesHash: string;
  /** the payee of the only payment (SCA-RTS art. 5(1)(a)) */
  readonly payee?: AccountIdentification & { readonly name: string; readonly secondaryIdentification?: string };
  readonly debtorAccount: AccountIdentification;
  readonly tpp: ChallengeTpp;
}

/** Access without a payment. */
export interface AccessBinding extends AnyBinding {
  readonly purpose: 'Access';
  /** the permissions or scopes */
  readonly data: readonly string[];
  /** how long the TPP has access without the PSU; undefined: not at all */
  readonly lastsSeconds?: number;
  /** the accounts; undefined if the PSU is not asked to choose */
  readonly accounts?: readonly AccountIdentification[];
  /** when it ends, ISO 8601; undefined: when it is withdrawn, or as lastsSeconds says */
  readonly endsAt?: string;
  readonly tpp: ChallengeTpp;
}

/** The second factor of a sign-in, before any decision. */
export interface SignInBinding extends AnyBinding {
  readonly purpose: 'SignIn';
  /** undefined if the PSU came without a TPP */
  readonly tpp?: ChallengeTpp;
}

/** The values to which a challenge is bound. */
export type ChallengeBinding = PaymentBinding | AccessBinding | SignInBinding;

export interface ChallengeAnswer {
  readonly challengeId: string;
  /** undefined: the PSU approved in the bank's app */
  readonly oneTimeCode?: string;
  /** as at the start */
  readonly binding: ChallengeBinding;
  readonly call: BankCall;
}

/** How the bank asks the PSU. */
export interface Challenge {
  readonly challengeId: string;
  readonly method: 'Code' | 'Push' | 'CodeOrPush';
  /** how the PSU gets the code; undefined if the bank does not say */
  readonly codeBy?: 'TextMessage' | 'Device';
  readonly expiresAt: Date;
}

/** 'NotOffered': the bank has no challenges, so nothing can be approved. */
export type ChallengeStart =
  | { readonly outcome: 'Started'; readonly challenge: Challenge }
  | { readonly outcome: 'Locked' }
  | { readonly outcome: 'NotOffered' };

/** The status of a challenge. 'Used': it was used for its decision, was made invalid, or never existed. */
export type ChallengeStatus = 'Pending' | 'Approved' | 'Refused' | 'Expired' | 'Used';

/** As {@link OneTimeCodeVerification}. 'Over': this challenge can no longer be used, or another call is using it. */
export type ChallengeVerification = OneTimeCodeVerification | { readonly outcome: 'Over' };

/**
 * Authentication linked to what is decided (SCA-RTS art. 5): the bank asks the PSU for one decision and accepts the
 * answer only for that decision.
 */
export abstract class PsuChallenges {
  /**
   * Asks the PSU. Never repeated automatically, or the PSU would be asked twice.
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract start(request: { binding: ChallengeBinding; call: BankCall }): Promise<ChallengeStart>;

  /**
   * What the PSU has done in the bank's app.
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract findStatus(query: { challengeId: string; call: BankCall }): Promise<ChallengeStatus>;

  /**
   * Uses up the challenge. Never repeated automatically, or a wrong code would count twice.
   * @throws BankUnavailableError, BankAnswerError
   */
  abstract verify(answer: ChallengeAnswer): Promise<ChallengeVerification>;
}

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

  override async verify({ challengeId, call, ...answer }: ChallengeAnswer): Promise<ChallengeVerification> {
    const { status, body } = await this.connection.send({
      operation: 'verifyChallenge',
      method: 'POST',
      path: `${path}/${encodeURIComponent(challengeId)}/verification`,
      body: answer,
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
