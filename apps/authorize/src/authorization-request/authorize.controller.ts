import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { InvalidRequestError } from '#libs/oauth';
import { sendAnswer } from '../pages/answer.js';
import { rawFormOf, rawQueryOf } from '../psu-session/page-request.js';
import { AuthorizationEndpoint } from './authorization-endpoint.service.js';

@Controller('oauth2/authorize')
export class AuthorizeController {
  constructor(private readonly endpoint: AuthorizationEndpoint) {}

  /** Fastify answers HEAD by the same method, without the body. */
  @Get()
  async authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { interactionId } = request;
    const cookieHeader = request.headers.cookie;
    const isHead = request.method === 'HEAD';
    sendAnswer(reply, await this.endpoint.answer({ query: rawQueryOf(request), cookieHeader, interactionId, isHead }));
  }

  /** The same as a form (OIDC Core s3.1.2.1). */
  @Post()
  async authorizeByForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { interactionId } = request;
    const cookieHeader = request.headers.cookie;
    const query = parametersOfForm(request);
    sendAnswer(reply, await this.endpoint.answer({ query, cookieHeader, interactionId, isForm: true }));
  }
}

// Parameters in two places could be read differently by two programs (CVE-2026-9689).
function parametersOfForm(request: FastifyRequest): string {
  if (rawQueryOf(request) !== '')
    throw new InvalidRequestError('parameters must not be in both the query and the form');
  return rawFormOf(request);
}
