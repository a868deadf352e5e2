import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseFormParameters } from '#libs/oauth';
import { sendAnswer } from '../pages/answer.js';
import { parsePageForm, parsePageRequest, rawQueryOf } from '../psu-session/page-request.js';
import { SignInLimitGuard } from '../sign-in/sign-in-limit.guard.js';
import { ApprovalSignIn } from './approval-sign-in.service.js';
import { PaymentApprovals } from './payment-approvals.service.js';

/** The bank's own page for the further people whose approval an account needs: no TPP sends them here. */
@Controller('approvals')
export class ApprovalsController {
  readonly #approvals: PaymentApprovals;
  readonly #signIn: ApprovalSignIn;

  constructor(approvals: PaymentApprovals, signIn: ApprovalSignIn) {
    this.#approvals = approvals;
    this.#signIn = signIn;
  }

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.#approvals.showList(parsePageRequest(request)));
  }

  @Post('sign-in')
  @UseGuards(SignInLimitGuard)
  async submitPassword(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.#signIn.submitPassword(parsePageForm(request)));
  }

  @Post('second-factor')
  @UseGuards(SignInLimitGuard)
  async submitOneTimeCode(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.#signIn.submitOneTimeCode(parsePageForm(request)));
  }

  @Post('sign-out')
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.#signIn.signOut(parsePageForm(request)));
  }

  @Get('payment')
  async showPayment(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { values } = parseFormParameters(rawQueryOf(request), { maxLength: 1_024 });
    sendAnswer(reply, await this.#approvals.showPayment(parsePageRequest(request), values.get('file_payment')));
  }

  @Post('approve')
  async approve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.#approvals.decide(parsePageForm(request), 'Approved'));
  }

  @Post('decline')
  async decline(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.#approvals.decide(parsePageForm(request), 'Declined'));
  }
}
