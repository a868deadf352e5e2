import { type DynamicModule, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerGuard, type ThrottlerLimitDetail, ThrottlerModule, type ThrottlerOptions } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { BodilessError } from '#libs/error-envelope';
import { ClientCertificateReader } from './client-certificate-reader.js';
import { GuardsModule } from './guards.module.js';

/** 429 without a body, with the seconds to wait (Read/Write profile, throttling). */
@Injectable()
class RateLimitGuard extends ThrottlerGuard {
  protected override throwThrottlingException(_context: ExecutionContext, detail: ThrottlerLimitDetail): Promise<void> {
    const seconds = Math.max(1, Math.ceil(detail.timeToBlockExpire));
    throw new BodilessError(429, `more than ${detail.limit} requests`, { 'retry-after': String(seconds) });
  }
}

/**
 * Fair usage, counted by each process for itself: so many requests per window for one client, known by its certificate,
 * and for one address. It comes before every other check of a route.
 */
@Module({})
export class RateLimitModule {
  static forRoot(config: Config): DynamicModule {
    const { perClient, perAddress } = config.rateLimit;
    if (perClient === 0 && perAddress === 0) return { module: RateLimitModule };
    return {
      module: RateLimitModule,
      imports: [
        ThrottlerModule.forRootAsync({
          imports: [GuardsModule],
          inject: [ClientCertificateReader],
          useFactory: (certificates: ClientCertificateReader) => ({
            throttlers: limits(config, certificates),
            generateKey: (_context: ExecutionContext, tracker: string, name: string) => `${name} ${tracker}`,
            setHeaders: false,
          }),
        }),
      ],
      providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }],
    };
  }
}

function limits(config: Config, certificates: ClientCertificateReader): ThrottlerOptions[] {
  const { perClient, perAddress, windowSeconds } = config.rateLimit;
  const ttl = windowSeconds * 1_000;
  const client: ThrottlerOptions = {
    name: 'client',
    ttl,
    limit: perClient,
    getTracker: (request) => {
      const { ip } = request as FastifyRequest;
      return certificates.read(request as FastifyRequest)?.thumbprint ?? ip;
    },
  };
  const address: ThrottlerOptions = {
    name: 'address',
    ttl,
    limit: perAddress,
    getTracker: (request) => (request as FastifyRequest).ip,
  };
  // Behind an ingress every request comes from the ingress' own address.
  const isAddressKnown = config.tls.clientCertificateSource === 'tls';
  return [...(perClient > 0 ? [client] : []), ...(perAddress > 0 && isAddressKnown ? [address] : [])];
}
