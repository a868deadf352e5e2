import { Controller } from '@nestjs/common';
import { ApprovalSessionService } from '#libs/customer-session';
import { OwnDecisionService, PaymentApprovalService } from '#libs/payment-order';
import { PaymentAccounts } from '#libs/bank';
import { Clock } from '#libs/config';
import { isUuid } from '#libs/obie-rules';
import type { Answer } from '../pages/answer.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { Address, Form, GetPage, PostForm } from '../pages/page-route.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { ApprovalVisits } from './approval-visits.service.js';
import { findDecidableAccounts, toApprover } from './approver.js';
import { createDecidedPage, createSessionsPage } from './create-overview-pages.js';

const sessionsAddress = '/approvals/sessions';

/** A customer's own overview: decisions and sessions. */
@Controller('approvals')
export class OwnOverviewController {
  constructor(
    private readonly visits: ApprovalVisits,
    private readonly sessions: ApprovalSessionService,
    private readonly approvals: PaymentApprovalService,
    private readonly decisions: OwnDecisionService,
    private readonly paymentAccounts: PaymentAccounts,
    private readonly renderer: PageRenderer,
    private readonly clock: Clock,
  ) {}

  @GetPage('decided')
  async showDecided(@Address() request: PageRequest): Promise<Answer> {
    const visit = await this.visits.find(request);
    const approver = toApprover(visit);
    if (approver === undefined) return this.visits.createWayToSignIn(visit, '/approvals/decided');
    const { psuId } = approver.session;
    const accounts = await findDecidableAccounts(this.paymentAccounts, approver, request);
    const [decided, own] = await Promise.all([
      this.approvals.findDecided(psuId, accounts),
      this.decisions.findOfPsu(psuId),
    ]);
    const content = { approver, request, decided, own, reader: { psuId, accounts } };
    const page = this.renderer.render('decided', (words) => createDecidedPage(words, content));
    return { kind: 'page', status: 200, page };
  }

  @GetPage('sessions')
  async showSessions(@Address() request: PageRequest): Promise<Answer> {
    const visit = await this.visits.find(request);
    const approver = toApprover(visit);
    if (approver === undefined) return this.visits.createWayToSignIn(visit, sessionsAddress);
    const sessions = await this.sessions.findOfPsu(approver.session.psuId, this.clock.now());
    const page = this.renderer.render('sessions', (words) =>
      createSessionsPage(words, { approver, request, sessions }),
    );
    return { kind: 'page', status: 200, page };
  }

  /** One session, or all others. A session that has already ended changes nothing. */
  @PostForm('sessions/end')
  async endSessions(@Form() request: PageRequest): Promise<Answer> {
    const visit = await this.visits.findForForm(request);
    const approver = toApprover(visit);
    if (approver === undefined) return this.visits.createWayToSignIn(visit, sessionsAddress);
    const { psuId, sessionId: own } = approver.session;
    const which = request.form.get('session') ?? '';
    if (which === 'others') await this.sessions.endOfPsu(psuId, { except: own });
    // The customer ends this session by signing out.
    else if (isUuid(which) && which !== own) await this.sessions.endOfPsu(psuId, { sessionId: which });
    return { kind: 'redirect', status: 303, location: sessionsAddress };
  }
}
