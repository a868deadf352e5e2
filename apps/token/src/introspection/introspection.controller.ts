import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendDocument } from '../token/send-document.js';
import { IntrospectionEndpoint } from './introspection-endpoint.service.js';

@Controller('oauth2')
export class IntrospectionController {
  readonly #endpoint: IntrospectionEndpoint;

  constructor(endpoint: IntrospectionEndpoint) {
    this.#endpoint = endpoint;
  }

  /** RFC 7662 s2. */
  @Post('introspect')
  async introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendDocument(request, reply, { status: 200, body: await this.#endpoint.introspect(request) });
  }
}
