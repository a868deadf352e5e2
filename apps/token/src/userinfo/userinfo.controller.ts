import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendDocument } from '#libs/back-channel';
import { UserinfoEndpoint } from './userinfo-endpoint.service.js';

@Controller('oauth2/userinfo')
export class UserinfoController {
  constructor(private readonly endpoint: UserinfoEndpoint) {}

  @Get()
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendDocument(request, reply, { status: 200, body: await this.endpoint.answer(request) });
  }

  /** OIDC Core s5.3.1: both methods. */
  @Post()
  async post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendDocument(request, reply, { status: 200, body: await this.endpoint.answer(request) });
  }
}
