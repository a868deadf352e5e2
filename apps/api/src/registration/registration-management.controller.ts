import { Controller, Delete, Get, Header, HttpCode, Put, Req, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ClientCertificateGuard } from '#libs/guards';
import {
  ApiDeleteRegistration,
  ApiReadRegistration,
  ApiReplaceRegistration,
} from '../documentation/registration-operations.js';
import { registrationPath } from './registration-address.js';
import { RegistrationErrorFilter } from './registration-error.filter.js';
import { RegistrationMediaTypeGuard } from './registration-media-type.guard.js';
import { RegistrationOwnerGuard } from './registration-owner.guard.js';
import { registrationOwner, signedRequest } from './registration-request.js';
import { RegistrationService } from './registration.service.js';

/** A client reads, replaces and deletes its own registration (Open Banking DCR, RFC 7592). */
@Controller(`${registrationPath}/:ClientId`)
@UseGuards(ClientCertificateGuard, RegistrationOwnerGuard, RegistrationMediaTypeGuard)
@UseFilters(RegistrationErrorFilter)
export class RegistrationManagementController {
  constructor(private readonly registrations: RegistrationService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Header('Pragma', 'no-cache')
  @ApiReadRegistration()
  async read(@Req() request: FastifyRequest) {
    return this.registrations.toResponse(await this.registrations.read(registrationOwner(request)));
  }

  @Put()
  @Header('Cache-Control', 'no-store')
  @Header('Pragma', 'no-cache')
  @ApiReplaceRegistration()
  async replace(@Req() request: FastifyRequest) {
    return this.registrations.toResponse(
      await this.registrations.replace(signedRequest(request), registrationOwner(request)),
    );
  }

  @Delete()
  @HttpCode(204)
  @ApiDeleteRegistration()
  async delete(@Req() request: FastifyRequest): Promise<void> {
    await this.registrations.delete(registrationOwner(request), request.interactionId);
  }
}
