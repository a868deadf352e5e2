import { Controller, HttpCode, Logger, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Clock, Config } from '#libs/config';
import { BodilessError } from '#libs/error-envelope';
import { type NotedReport, PaymentReports } from '#libs/payment-order';
import { mediaTypeOf, rawBody } from '#libs/guards';
import { readOutcomes } from './read-outcomes.js';
import { verifyOutcomesToken } from './verify-outcomes-token.js';

const path = 'bank/v1/payment-outcomes';

/**
 * The bank's payment hub reports outcomes of payments here (deploy/bank-openapi.yaml, paymentOutcomes). Only the token
 * in the body identifies the caller: there is no client certificate or access token. Not part of the TPPs' API.
 */
@ApiExcludeController()
@Controller(path)
export class BankCallbackController {
  readonly #logger = new Logger('BankCallbackController');

  constructor(
    private readonly reports: PaymentReports,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(200)
  async note(@Req() request: FastifyRequest): Promise<NotedReport> {
    const { baseUrl, bank } = this.config;
    if (bank.callbackKeys === undefined) throw new TypeError('This route exists only if BANK_CALLBACK_KEYS is set.');
    assertJwt(request);
    const { jti, expiresAt, claims } = await verifyOutcomesToken(rawBody(request).toString('latin1'), {
      keys: bank.callbackKeys,
      issuer: bank.url,
      audience: `${baseUrl}/${path}`,
      now: this.clock.now(),
    });
    const results = readOutcomes(claims['payments']);
    const noted = await this.reports.note({ issuer: bank.url, jti, expiresAt, results });
    if (noted.conflicting.length > 0) {
      const message =
        "The bank's report contradicts the service: payments that it made are Rejected here, or the reverse, or it " +
        'never got them.';
      this.#logger.error({ message, paymentIds: noted.conflicting, jti });
    }
    return noted;
  }
}

function assertJwt(request: FastifyRequest): void {
  if (mediaTypeOf(request)?.type !== 'application/jwt')
    throw new BodilessError(415, 'the body must be application/jwt');
}
