import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiAuthorizeOperation } from '../documentation/describe-operations.js';
import { sendAnswer } from '../pages/answer.js';
import { rawQueryOf } from '../psu-session/page-request.js';
import { AuthorizationEndpoint } from './authorization-endpoint.service.js';

@Controller('oauth2/authorize')
export class AuthorizeController {
  readonly #endpoint: AuthorizationEndpoint;

  constructor(endpoint: AuthorizationEndpoint) {
    this.#endpoint = endpoint;
  }

  @Get()
  @ApiAuthorizeOperation()
  async authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { interactionId } = request;
    const cookieHeader = request.headers.cookie;
    sendAnswer(reply, await this.#endpoint.answer({ query: rawQueryOf(request), cookieHeader, interactionId }));
  }
}
