import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { assertJsonAcceptable } from '#libs/guards';
import { ApiDiscovery } from '../documentation/registration-operations.js';
import { DiscoveryService } from './discovery.service.js';

/** The published path: the OpenID Connect location for the issuer. */
const publishedPath = 'open-banking/v3.0/.well-known/openid-configuration';
/**
 * The root of the host, for programs that know only the host, and the two locations that append the issuer's path (RFC
 * 8414 s3.1, s5).
 */
const otherPaths = [
  '.well-known/openid-configuration',
  '.well-known/openid-configuration/open-banking/v3.0',
  '.well-known/oauth-authorization-server/open-banking/v3.0',
];

/** Discovery: public, without a client certificate. */
@Controller()
export class DiscoveryController {
  constructor(private readonly discovery: DiscoveryService) {}

  @Get(otherPaths)
  @ApiExcludeEndpoint()
  readElsewhere(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.read(request, reply);
  }

  @Get(publishedPath)
  @ApiDiscovery()
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    assertJsonAcceptable(request);
    const { body, etag } = this.discovery;
    void reply.headers({
      etag,
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      vary: 'Accept',
    });
    if (this.discovery.isKnown(request.headers['if-none-match'])) void reply.status(304).send();
    else void reply.type('application/json').send(body);
  }
}
