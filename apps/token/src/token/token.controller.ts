import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendDocument } from '#libs/back-channel';
import { TokenEndpoint } from './token-endpoint.service.js';

@Controller('oauth2')
export class TokenController {
  constructor(private readonly endpoint: TokenEndpoint) {}

  /** RFC 6749 s3.2. The media type of the answer depends on the request, hence the bare reply. */
  @Post('token')
  async token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendDocument(request, reply, { status: 200, body: await this.endpoint.answer(request) });
  }
}
