import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendDocument, uncached } from '#libs/back-channel';
import { IntrospectionEndpoint } from './introspection-endpoint.service.js';
import { signedIntrospectionType } from './signed-introspection.js';

@Controller('oauth2')
export class IntrospectionController {
  constructor(private readonly endpoint: IntrospectionEndpoint) {}

  /** RFC 7662 s2, RFC 9701 s5. */
  @Post('introspect')
  async introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const answer = await this.endpoint.introspect(request);
    if (typeof answer !== 'string') {
      sendDocument(request, reply, { status: 200, body: answer });
      return;
    }
    const headers = { ...uncached, vary: 'accept', 'content-type': signedIntrospectionType };
    void reply.status(200).headers(headers).send(Buffer.from(answer));
  }
}
