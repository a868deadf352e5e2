import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer } from '../pages/answer.js';
import { parsePageForm, parsePageRequest } from '../psu-session/page-request.js';
import { OwnOverview } from './own-overview.service.js';

@Controller('approvals')
export class OwnOverviewController {
  constructor(private readonly overview: OwnOverview) {}

  @Get('decided')
  async showDecided(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.overview.showDecided(parsePageRequest(request)));
  }

  @Get('sessions')
  async showSessions(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.overview.showSessions(parsePageRequest(request)));
  }

  @Post('sessions/end')
  async endSessions(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.overview.endSessions(parsePageForm(request)));
  }
}
