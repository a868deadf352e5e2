import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PushedAuthorizationRequestEndpoint, sendDocument } from '#libs/back-channel';

@Controller('oauth2')
export class PushedAuthorizationRequestController {
  constructor(private readonly endpoint: PushedAuthorizationRequestEndpoint) {}

  /**
   * RFC 9126 s2 requires client authentication, not a certificate. The token app serves the mutual TLS alias (RFC 8705
   * s5).
   */
  @Post('par')
  async push(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendDocument(request, reply, { status: 201, body: await this.endpoint.push(request, undefined) });
  }
}
