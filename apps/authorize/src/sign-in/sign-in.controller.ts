import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer, sendText } from '../pages/answer.js';
import { parsePageForm, parsePageLoad, parsePageRequest } from '../psu-session/page-request.js';
import { SecondFactor } from './second-factor.service.js';
import { SignInLimitGuard } from './sign-in-limit.guard.js';
import { SignIn } from './sign-in.service.js';

@Controller()
export class SignInController {
  constructor(
    private readonly signIn: SignIn,
    private readonly secondFactor: SecondFactor,
  ) {}

  @Get('sign-in')
  async showSignIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.signIn.show(parsePageRequest(request)));
  }

  @Post('sign-in')
  @UseGuards(SignInLimitGuard)
  async submitSignIn(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.signIn.submit(parsePageForm(request)));
  }

  @Get('second-factor')
  async showSecondFactor(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.secondFactor.show(parsePageRequest(request), parsePageLoad(request)));
  }

  @Post('second-factor')
  @UseGuards(SignInLimitGuard)
  async submitSecondFactor(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.secondFactor.submit(parsePageForm(request)));
  }

  @Post('second-factor/again')
  @UseGuards(SignInLimitGuard)
  async askAgain(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.secondFactor.askAgain(parsePageForm(request)));
  }

  @Get('second-factor/status')
  async findStatus(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendText(reply, await this.secondFactor.findStatus(parsePageRequest(request)));
  }
}
