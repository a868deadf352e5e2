import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendAnswer } from '../pages/answer.js';
import { parsePageForm, parsePageRequest } from '../psu-session/page-request.js';
import { ConsentDecision } from './consent-decision.service.js';

@Controller()
export class ConsentController {
  readonly #decision: ConsentDecision;

  constructor(decision: ConsentDecision) {
    this.#decision = decision;
  }

  @Get('consent')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.#decision.show(parsePageRequest(request)));
  }

  @Post('consent')
  async approve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.#decision.approve(parsePageForm(request)));
  }

  @Post('decline')
  async decline(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, await this.#decision.decline(parsePageForm(request)));
  }
}
