import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApprovalVisits } from '../approvals/approval-visits.service.js';
import { sendAnswer, type PageAnswer } from '../pages/answer.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { SessionUnknownError } from './page-errors.js';
import { parsePageRequest } from './page-request.js';
import { PsuSessions } from './psu-sessions.service.js';

/** Opening this page gives the session of another tab more time, without losing its input (WCAG 2.2.1). */
@Controller()
export class MoreTimeController {
  constructor(
    private readonly psuSessions: PsuSessions,
    private readonly visits: ApprovalVisits,
    private readonly renderer: PageRenderer,
  ) {}

  @Get('more-time')
  async giveToJourney(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { session } = await this.psuSessions.open(parsePageRequest(request));
    const { uiLocales } = session.request;
    sendAnswer(reply, { ...this.#createPage(request, session.expiresAt), uiLocales });
  }

  @Get('approvals/more-time')
  async giveToApprovals(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { session } = await this.visits.find(parsePageRequest(request));
    if (session === undefined) throw new SessionUnknownError('No such session.');
    sendAnswer(reply, this.#createPage(request, session.expiresAt));
  }

  #createPage({ interactionId: reference }: FastifyRequest, expiresAt: Date): PageAnswer {
    const page = this.renderer.render('more-time', (words) => ({ reference, until: words.time(expiresAt) }));
    return { kind: 'page', status: 200, page };
  }
}
