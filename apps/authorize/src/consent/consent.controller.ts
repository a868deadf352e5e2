import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer } from '../pages/answer.js';
import { accountsFormBounds, parsePageForm, parsePageRequest, queryValue } from '../psu-session/page-request.js';
import { SignInLimitGuard } from '../sign-in/sign-in-limit.guard.js';
import { ConsentDecision } from './consent-decision.service.js';

@Controller()
export class ConsentController {
  constructor(private readonly decision: ConsentDecision) {}

  @Get('consent')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const names = ['ending', 'order', 'account', 'advice', 'decline'];
    const [ending, order, account, advice, decline] = names.map((name) => queryValue(request, name));
    sendAnswer(reply, await this.decision.show(parsePageRequest(request), { ending, order, account, advice, decline }));
  }

  @Post('consent')
  @UseGuards(SignInLimitGuard)
  async approve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.decision.approve(parsePageForm(request, accountsFormBounds)));
  }

  @Post('consent/order')
  sort(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendAnswer(reply, this.decision.sort(parsePageForm(request)));
  }

  @Post('decline')
  async decline(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.decision.decline(parsePageForm(request)));
  }
}
