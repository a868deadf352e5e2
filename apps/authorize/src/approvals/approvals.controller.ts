import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer, sendText } from '../pages/answer.js';
import { parsePageForm, parsePageLoad, parsePageRequest, queryValue } from '../psu-session/page-request.js';
import { SignInLimitGuard } from '../sign-in/sign-in-limit.guard.js';
import { ApprovalSignIn } from './approval-sign-in.service.js';
import { FundsHistory } from './funds-history.service.js';
import { LastingAccess } from './lasting-access.service.js';
import { PaymentApprovals } from './payment-approvals.service.js';

/** The bank's own pages, which need no TPP: further approvals and lasting access. */
@Controller('approvals')
export class ApprovalsController {
  constructor(
    private readonly approvals: PaymentApprovals,
    private readonly signIn: ApprovalSignIn,
    private readonly access: LastingAccess,
    private readonly funds: FundsHistory,
  ) {}

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.approvals.showList(parsePageRequest(request), parsePageLoad(request)));
  }

  @Post('sign-in')
  @UseGuards(SignInLimitGuard)
  async submitPassword(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.signIn.submitPassword(parsePageForm(request)));
  }

  @Post('second-factor')
  @UseGuards(SignInLimitGuard)
  async submitOneTimeCode(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.signIn.submitOneTimeCode(parsePageForm(request)));
  }

  @Post('second-factor/again')
  @UseGuards(SignInLimitGuard)
  async askAgain(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.signIn.askAgain(parsePageForm(request)));
  }

  @Get('challenge')
  async showChallenge(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.approvals.showChallenge(parsePageRequest(request), parsePageLoad(request)));
  }

  @Post('challenge')
  @UseGuards(SignInLimitGuard)
  async submitChallenge(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.approvals.submitChallenge(parsePageForm(request)));
  }

  @Post('challenge/again')
  @UseGuards(SignInLimitGuard)
  async askForDecisionAgain(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.approvals.askAgain(parsePageForm(request)));
  }

  @Get('challenge/status')
  async findChallengeStatus(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendText(reply, await this.approvals.findChallengeStatus(parsePageRequest(request)));
  }

  @Post('sign-out')
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.signIn.signOut(parsePageForm(request)));
  }

  @Get('payment')
  async showPayment(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const names = ['file_payment', 'ending', 'order', 'advice', 'decline'];
    const [filePaymentId, ending, order, advice, decline] = names.map((name) => queryValue(request, name));
    const asked = { filePaymentId, ending, order, advice, decline };
    sendAnswer(reply, await this.approvals.showPayment(parsePageRequest(request), asked));
  }

  @Post('approve')
  @UseGuards(SignInLimitGuard)
  async approve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.approvals.decide(parsePageForm(request), 'Approved'));
  }

  @Post('decline')
  async decline(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.approvals.decide(parsePageForm(request), 'Declined'));
  }

  @Get('access')
  async showAccess(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.access.show(parsePageRequest(request)));
  }

  @Get('access/end')
  async confirmEnd(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.access.confirm(parsePageRequest(request), queryValue(request, 'grant')));
  }

  @Get('access/funds')
  async showFunds(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const asked = { consentId: queryValue(request, 'consent'), page: queryValue(request, 'page') };
    sendAnswer(reply, await this.funds.show(parsePageRequest(request), asked));
  }

  @Post('withdraw')
  async withdraw(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.access.withdraw(parsePageForm(request)));
  }
}
