import { Controller, Delete, Get, Header, HttpCode, Put, Req, UseFilters, UseGuards } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ClientCertificateGuard } from '#libs/guards';
import { OBClientRegistration1 } from './ob-client-registration.dto.js';
import { registrationPath } from './registration-address.js';
import { RegistrationAnswers } from './registration-answers.js';
import { RegistrationErrorFilter } from './registration-error.filter.js';
import { RegistrationMediaTypeGuard } from './registration-media-type.guard.js';
import { RegistrationOwnerGuard } from './registration-owner.guard.js';
import { registrationOwner, signedRequest } from './registration-request.js';
import { RegistrationService } from './registration.service.js';

/** A client reads, replaces and deletes its own registration (Open Banking DCR, RFC 7592). */
@ApiTags('Client registration')
@ApiBearerAuth()
@ApiParam({ name: 'ClientId', format: 'uuid' })
@Controller(`${registrationPath}/:ClientId`)
@UseGuards(ClientCertificateGuard, RegistrationOwnerGuard, RegistrationMediaTypeGuard)
@UseFilters(RegistrationErrorFilter)
export class RegistrationManagementController {
  readonly #registrations: RegistrationService;
  readonly #answers: RegistrationAnswers;

  constructor(registrations: RegistrationService, answers: RegistrationAnswers) {
    this.#registrations = registrations;
    this.#answers = answers;
  }

  @Get()
  @Header('Cache-Control', 'no-store')
  @Header('Pragma', 'no-cache')
  @ApiOperation({ summary: 'Read a registration; the secret is not in it' })
  @ApiOkResponse({ type: OBClientRegistration1 })
  async read(@Req() request: FastifyRequest) {
    return this.#answers.toResponse(await this.#registrations.read(registrationOwner(request)));
  }

  @Put()
  @Header('Cache-Control', 'no-store')
  @Header('Pragma', 'no-cache')
  @ApiOperation({ summary: 'Replace a registration' })
  @ApiConsumes('application/jose', 'application/jwt')
  @ApiBody({ description: 'OBClientRegistrationRequest1 as compact JWS', schema: { type: 'string' } })
  @ApiOkResponse({ type: OBClientRegistration1 })
  async replace(@Req() request: FastifyRequest) {
    return this.#answers.toResponse(
      await this.#registrations.replace(signedRequest(request), registrationOwner(request)),
    );
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a registration with its codes and tokens' })
  @ApiNoContentResponse()
  async delete(@Req() request: FastifyRequest): Promise<void> {
    await this.#registrations.delete(registrationOwner(request));
  }
}
