import { Controller, Header, HttpCode, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientCertificateGuard } from '#libs/guards';
import { ApiRegister } from '../documentation/registration-operations.js';
import { registrationPath } from './registration-address.js';
import { RegistrationErrorFilter } from './registration-error.filter.js';
import { RegistrationMediaTypeGuard } from './registration-media-type.guard.js';
import { signedRequest } from './registration-request.js';
import { RegistrationService } from './registration.service.js';

/** Registration of new clients: the certificate is the only credential (Open Banking DCR, POST /register). */
@Controller(registrationPath)
@UseGuards(ClientCertificateGuard, RegistrationMediaTypeGuard)
@UseFilters(RegistrationErrorFilter)
export class RegistrationController {
  constructor(private readonly registrations: RegistrationService) {}

  @Post()
  @HttpCode(201)
  @Header('Cache-Control', 'no-store')
  @Header('Pragma', 'no-cache')
  @ApiRegister()
  async register(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const outcome = await this.registrations.register(signedRequest(request));
    void reply.header('location', this.registrations.addressOf(outcome.registration));
    return this.registrations.toResponse(outcome);
  }
}
