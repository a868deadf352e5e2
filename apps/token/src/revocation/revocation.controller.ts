import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { uncached } from '#libs/back-channel';
import { RevocationEndpoint } from './revocation-endpoint.service.js';

@Controller('oauth2')
export class RevocationController {
  constructor(private readonly endpoint: RevocationEndpoint) {}

  /** RFC 7009 s2: 200 without a body. */
  @Post('revoke')
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.endpoint.revoke(request);
    void reply.status(200).headers(uncached).send();
  }
}
