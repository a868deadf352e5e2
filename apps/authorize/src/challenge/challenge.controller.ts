import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer, sendText } from '../pages/answer.js';
import { parsePageForm, parsePageLoad, parsePageRequest } from '../psu-session/page-request.js';
import { SignInLimitGuard } from '../sign-in/sign-in-limit.guard.js';
import { DecisionChallenge } from './decision-challenge.service.js';

/** The last step of a journey: the code, or the wait for the bank's app. */
@Controller('challenge')
export class ChallengeController {
  constructor(private readonly challenge: DecisionChallenge) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.challenge.show(parsePageRequest(request), parsePageLoad(request)));
  }

  @Post()
  @UseGuards(SignInLimitGuard)
  async submit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.challenge.submit(parsePageForm(request)));
  }

  @Post('again')
  @UseGuards(SignInLimitGuard)
  async askAgain(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.challenge.askAgain(parsePageForm(request)));
  }

  @Get('status')
  async findStatus(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendText(reply, await this.challenge.findStatus(parsePageRequest(request)));
  }
}
