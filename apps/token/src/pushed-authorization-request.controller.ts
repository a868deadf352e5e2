import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getClientCertificate, PushedAuthorizationRequestEndpoint, sendDocument } from '#libs/back-channel';
import { ClientCertificateReader } from '#libs/guards';

@Controller('oauth2')
export class PushedAuthorizationRequestController {
  constructor(
    private readonly endpoint: PushedAuthorizationRequestEndpoint,
    private readonly certificates: ClientCertificateReader,
  ) {}

  /** RFC 9126 s2, over mutual TLS. */
  @Post('par')
  async push(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const certificate = await getClientCertificate(this.certificates, request);
    sendDocument(request, reply, { status: 201, body: await this.endpoint.push(request, certificate) });
  }
}
