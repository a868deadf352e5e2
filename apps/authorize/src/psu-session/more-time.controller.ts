import { Controller } from '@nestjs/common';
import { ApprovalVisits } from '../approvals/approval-visits.service.js';
import type { PageAnswer } from '../pages/answer.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { Address, GetPage } from '../pages/page-route.js';
import { SessionUnknownError } from './page-errors.js';
import type { PageRequest } from './page-request.js';
import { PsuSessions } from './psu-sessions.service.js';

/** Opening this page gives the session of another tab more time, without losing its input (WCAG 2.2.1). */
@Controller()
export class MoreTimeController {
  constructor(
    private readonly psuSessions: PsuSessions,
    private readonly visits: ApprovalVisits,
    private readonly renderer: PageRenderer,
  ) {}

  @GetPage('more-time')
  async giveToJourney(@Address() request: PageRequest): Promise<PageAnswer> {
    const { session } = await this.psuSessions.open(request);
    const { uiLocales } = session.request;
    return { ...this.#createPage(request, session.expiresAt), uiLocales };
  }

  @GetPage('approvals/more-time')
  async giveToApprovals(@Address() request: PageRequest): Promise<PageAnswer> {
    const { session } = await this.visits.find(request);
    if (session === undefined) throw new SessionUnknownError('No such session.');
    return this.#createPage(request, session.expiresAt);
  }

  #createPage({ interactionId: reference }: PageRequest, expiresAt: Date): PageAnswer {
    const page = this.renderer.render('more-time', (words) => ({ reference, until: words.time(expiresAt) }));
    return { kind: 'page', status: 200, page };
  }
}
