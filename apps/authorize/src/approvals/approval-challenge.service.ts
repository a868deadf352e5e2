import { Injectable } from '@nestjs/common';
import {
  ApprovalSessionService,
  mostChallenges,
  type PayeesShown,
  type SessionChallenge,
  type SessionKey,
} from '#libs/customer-session';
import { PaymentApprovalService, type PaymentAwaitingApproval } from '#libs/payment-order';
import type { ChallengeBinding, PaymentAccount } from '#libs/bank';
import { Clock } from '#libs/config';
import { ChallengeDesk, type Verified } from '../challenge/challenge-desk.service.js';
import type { ChallengeEnding } from '../challenge/challenge-problems.js';
import { createPaymentBinding, toChallengeTpp } from '../challenge/create-binding.js';
import type { PaymentsToApprove } from '../consent/payments-to-approve.js';
import type { Answer } from '../pages/answer.js';
import { leadTo, problemOf } from '../pages/carried-word.js';
import type { FormProblemName } from '../pages/form-problems.js';
import type { FormProblem } from '../pages/page-models.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { ApprovalPages } from './approval-pages.service.js';
import { keyOf, type Approver } from './approver.js';

/** One approval that waits for its challenge. */
export interface AskedApproval {
  readonly approver: Approver;
  readonly request: PageRequest;
  readonly payment: PaymentAwaitingApproval;
  readonly consentId: string;
  readonly file: PaymentsToApprove;
  readonly accounts: readonly PaymentAccount[];
}

/** Authenticates one decision of a further approver: one challenge for each file (SCA-RTS art. 5). */
@Injectable()
export class ApprovalChallenge {
  constructor(
    private readonly sessions: ApprovalSessionService,
    private readonly approvals: PaymentApprovalService,
    private readonly desk: ChallengeDesk,
    private readonly pages: ApprovalPages,
    private readonly clock: Clock,
  ) {}

  /** Asks the bank to authenticate exactly the decision behind the pressed button. */
  async ask(asked: AskedApproval, payees: PayeesShown | undefined, ifSent?: 'codeSent'): Promise<Answer> {
    const { approver, request, payment, file } = asked;
    const { interactionId } = request;
    const isSent = await this.desk.askVisitor({
      key: keyOf(approver),
      session: approver.session,
      binding: createBinding(asked, interactionId),
      call: { interactionId },
      // Each of many files needs its own.
      most: mostChallenges * 10,
      decision: { filePaymentId: payment.filePaymentId, approvalHash: file.approvalHash.toString('hex'), payees },
    });
    return again(isSent ? ifSent : undefined);
  }

  /** GET /approvals/challenge: an approval in the bank's app continues here */
  async show(asked: AskedApproval, challenge: SessionChallenge, { isSafe }: { isSafe: boolean }): Promise<Answer> {
    const { interactionId, word } = asked.request;
    const problem = problemOf(word);
    // An answer in the bank's app that failed would fail again.
    if (problem !== undefined) return this.#createPage(asked, problem);
    const status = await this.desk.findStatus(challenge, { interactionId });
    if (status === 'Approved' && !isSafe) return this.answer(asked, challenge, undefined);
    return status === 'Pending' || status === 'Approved' ? this.#createPage(asked) : toPayment(asked, status);
  }

  /** Takes the answer to the challenge and makes the decision, once. */
  async answer(asked: AskedApproval, challenge: SessionChallenge, oneTimeCode: string | undefined): Promise<Answer> {
    const { approver, request, file } = asked;
    const { challengeId } = challenge;
    if (file.approvalHash.toString('hex') !== challenge.approvalHash) return toPayment(asked, 'Used');
    const claim = { key: keyOf(approver), challengeId };
    if (!(await this.sessions.claimChallenge({ ...claim, now: this.clock.now() }))) {
      // Another click is being processed. Its result counts for both: a wrong answer, or what the payment's page shows.
      const session = await this.desk.awaitCheckOfVisitor(claim.key.sessionHash);
      const isStillAsked = session?.challenge?.challengeId === challengeId;
      if (!isStillAsked || oneTimeCode === undefined) return toPayment(asked);
      return again(session.challenge.verified === undefined ? 'wrongCode' : undefined);
    }
    const call = { interactionId: request.interactionId };
    const binding = createBinding(asked, challenge.interactionId);
    const verification = await this.desk.verifyForVisitor(claim, { challenge, oneTimeCode, binding, call });
    if (verification.outcome === 'Verified') return this.#decide(asked, claim, verification);
    return verification.outcome === 'InvalidCredentials' ? again('wrongCode') : toPayment(asked, 'Used');
  }

  async #decide(
    asked: AskedApproval,
    claim: { key: SessionKey; challengeId: string },
    verified: Verified,
  ): Promise<Answer> {
    const { approver, request, payment, file, accounts } = asked;
    const isDecided = await this.desk.storeForVisitor(verified, claim, () =>
      this.approvals.decide({
        outcome: 'Approved',
        psuId: approver.session.psuId,
        accounts,
        filePaymentId: payment.filePaymentId,
        approvalHash: file.approvalHash,
        acr: verified.acr,
        authenticatedAt: verified.authenticatedAt,
        challenge: { sessionHash: claim.key.sessionHash, challengeId: claim.challengeId },
        now: this.clock.ofDatabase(),
        interactionId: request.interactionId,
      }),
    );
    // Somebody else was faster, as the page says. The next file needs its own challenge.
    if (!isDecided) await this.sessions.releaseChallenge(claim);
    return toPayment(asked);
  }

  /** The page that waits for the answer. */
  #createPage({ approver, request, payment, file }: AskedApproval, problem?: FormProblem): Answer {
    return this.pages.createDecisionChallenge({ visit: approver, request, payment, file, problem });
  }

  /** GET /approvals/challenge/status */
  findStatus(challenge: SessionChallenge, { interactionId }: PageRequest): Promise<string> {
    return this.desk.findStatus(challenge, { interactionId });
  }
}

const address = '/approvals/challenge';

/** @returns the way back to the page that waits for the answer */
export const again = (name?: FormProblemName | 'codeSent'): Answer => leadTo(address, name && { name });

export function toPayment({ payment }: Pick<AskedApproval, 'payment'>, ending?: ChallengeEnding): Answer {
  const location = `/approvals/payment?file_payment=${payment.filePaymentId}`;
  return { kind: 'redirect', status: 303, location: ending === undefined ? location : `${location}&ending=${ending}` };
}

function createBinding({ approver, payment, consentId, file }: AskedApproval, interactionId: string): ChallengeBinding {
  const { debtorAccount } = payment;
  return createPaymentBinding({
    psuId: approver.session.psuId,
    interactionId,
    consentId,
    file,
    account: {
      SchemeName: debtorAccount.schemeName,
      Identification: debtorAccount.identification,
      Name: debtorAccount.name,
    },
    tpp: toChallengeTpp(payment),
  });
}
