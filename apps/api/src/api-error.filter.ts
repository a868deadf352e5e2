import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#libs/config';
import { bodyTooLong } from '#libs/error-catalogue';
import { answerWithObError, unreadable } from '#libs/error-envelope';
import { httpStatusOf } from '#libs/http-server';
import { registrationPath } from './registration/registration-address.js';
import { RegistrationErrorFilter } from './registration/registration-error.filter.js';
import { wireOf } from './wire/wires.js';

/** Errors that no area has answered: OBErrorResponse1, in registration with the members of RFC 7591. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  readonly #answerRegistration: ExceptionFilter['catch'];

  constructor(private readonly config: Config) {
    const filter = new RegistrationErrorFilter(config);
    this.#answerRegistration = filter.catch.bind(filter);
  }

  catch(exception: unknown, host: ArgumentsHost): void {
    const { url } = host.switchToHttp().getRequest<FastifyRequest>().routeOptions;
    const isRegistration = url?.startsWith(`/${registrationPath}`) === true;
    if (isRegistration && isTooLong(exception)) this.#answerRegistration(unreadable(bodyTooLong), host);
    else answerWithObError(exception, host, this.config, wireOf(url)?.errorBody);
  }
}

/** A body longer than its route allows, refused before any area sees the request. */
function isTooLong(exception: unknown): boolean {
  return httpStatusOf(exception) === 413;
}
