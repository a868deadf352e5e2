import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendDocument } from '../token/send-document.js';
import { PushedAuthorizationRequestEndpoint } from './pushed-authorization-request-endpoint.service.js';

@Controller('oauth2')
export class PushedAuthorizationRequestController {
  readonly #endpoint: PushedAuthorizationRequestEndpoint;

  constructor(endpoint: PushedAuthorizationRequestEndpoint) {
    this.#endpoint = endpoint;
  }

  /** RFC 9126 s2. */
  @Post('par')
  async push(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendDocument(request, reply, { status: 201, body: await this.#endpoint.push(request) });
  }
}
