import { Controller } from '@nestjs/common';
import { confirmFunds } from '#libs/access-consent';
import { findFundsQuestions } from '#libs/audit';
import { GivenAccessService } from '#libs/customer-session';
import { Clock } from '#libs/config';
import { Database } from '#libs/persistence';
import type { Answer } from '../pages/answer.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { Address, GetPage, Query } from '../pages/page-route.js';
import type { PageRequest } from '../psu-session/page-request.js';
import { ApprovalVisits } from './approval-visits.service.js';
import { toApprover } from './approver.js';
import { createFundsPage, placeOf } from './create-access-page.js';

/** What was asked about a customer's money, and what the bank answered (PSRs 2017 reg. 68(6)). */
@Controller('approvals')
export class FundsHistoryController {
  constructor(
    private readonly visits: ApprovalVisits,
    private readonly consents: GivenAccessService,
    private readonly database: Database,
    private readonly renderer: PageRenderer,
    private readonly clock: Clock,
  ) {}

  /** For unknown access, or somebody else's, it shows the list. */
  @GetPage('access/funds')
  async show(
    @Address() request: PageRequest,
    @Query(['consent', 'page']) asked: Readonly<Record<'consent' | 'page', string | undefined>>,
  ): Promise<Answer> {
    const visit = await this.visits.find(request);
    const approver = toApprover(visit);
    const { consent: consentId = '' } = asked;
    if (approver === undefined)
      return this.visits.createWayToSignIn(visit, `/approvals/access/funds?consent=${consentId}`);
    const { psuId } = approver.session;
    const place = placeOf(asked.page);
    const given = await this.consents.findOfPsu(psuId, this.clock.now());
    const consent = given.find((each) => each.consentId === consentId && each.terms.permissions.includes(confirmFunds));
    if (consent === undefined) return { kind: 'redirect', status: 303, location: '/approvals/access' };
    const found = await findFundsQuestions(this.database, { psuId, consentId, page: place });
    const content = { approver, request, consent, place, ...found };
    const page = this.renderer.render('funds', (words) => createFundsPage(words, content));
    return { kind: 'page', status: 200, page };
  }
}
