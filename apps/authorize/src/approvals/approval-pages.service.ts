import { Injectable } from '@nestjs/common';
import type { PaymentAwaitingApproval } from '#libs/payment-order';
import { createQuestion, describePayment } from '../challenge/challenge-pages.service.js';
import { maskAccount, nameAccount } from '../consent/format.js';
import type { PaymentsToApprove } from '../consent/payments-to-approve.js';
import type { Answer } from '../pages/answer.js';
import type { ApprovalChallengePage, FormProblem } from '../pages/page-models.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { noticeOf } from '../pages/carried-word.js';
import { createCsrfToken } from '../psu-session/csrf-token.js';
import type { PageRequest } from '../psu-session/page-request.js';
import type { Html, Words } from '../wording/words.js';
import type { ApprovalVisit } from './approver.js';
import { signInAddress } from './landing.js';

/** The pages of further approvers that wait for a code or for the bank's app. */
@Injectable()
export class ApprovalPages {
  constructor(private readonly renderer: PageRenderer) {}

  /** The second factor of the sign-in. */
  createSignInChallenge(page: {
    visit: ApprovalVisit;
    request: PageRequest;
    landing: string | undefined;
    problem?: FormProblem | undefined;
  }): Answer {
    const { landing } = page;
    return this.#create(page, () => ({
      action: '/approvals/second-factor',
      againAction: '/approvals/second-factor/again',
      ownAddress: signInAddress(landing),
      landing,
    }));
  }

  /** One decision. */
  createDecisionChallenge(page: {
    visit: ApprovalVisit;
    request: PageRequest;
    payment: PaymentAwaitingApproval;
    file: PaymentsToApprove;
    problem?: FormProblem | undefined;
  }): Answer {
    const { payment, file } = page;
    return this.#create(page, (words) => ({
      action: '/approvals/challenge',
      againAction: '/approvals/challenge/again',
      ownAddress: '/approvals/challenge',
      payment: { ...describePayment(words, file), filePaymentId: payment.filePaymentId },
      account: nameDebtorAccount(words, payment),
      clientName: payment.clientName,
      orgName: payment.orgName,
      registerNumber: payment.registerNumber ?? payment.orgId,
      onBehalfOfOrg: payment.onBehalfOfOrg,
    }));
  }

  #create(
    { visit, request, problem }: { visit: ApprovalVisit; request: PageRequest; problem?: FormProblem | undefined },
    createParts: (words: Words) => Omit<ApprovalChallengePage, 'reference' | 'csrfToken' | 'statusAddress'>,
  ): Answer {
    const { session, value } = visit;
    const { challenge } = session ?? {};
    const page = this.renderer.render('approval-challenge', (words) => {
      const parts = createParts(words);
      return {
        ...parts,
        reference: request.interactionId,
        csrfToken: createCsrfToken(value),
        psuName: parts.payment && session?.psuName,
        closesAt: session && words.time(session.expiresAt),
        moreTimeAddress: '/approvals/more-time',
        question: challenge && createQuestion(challenge, visit),
        statusAddress: '/approvals/challenge/status',
        problem,
        notice: noticeOf(request.word),
      };
    });
    const hasScript = challenge !== undefined && challenge.method !== 'Code';
    return { kind: 'page', status: problem === undefined ? 200 : 400, page, hasScript };
  }
}

// Named as in the bank's app and on the first approver's page: the page asks to decline if anything is different.
function nameDebtorAccount(words: Words, { debtorAccount }: PaymentAwaitingApproval): Html {
  const { schemeName, identification, name } = debtorAccount;
  return nameAccount(words, name, maskAccount(words, schemeName, identification));
}
