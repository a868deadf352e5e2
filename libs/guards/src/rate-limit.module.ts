import { type CanActivate, type DynamicModule, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from '#libs/config';
import { BodilessError } from '#libs/error-envelope';
import { ClientCertificateReader } from './client-certificate-reader.js';
import { GuardsModule } from './guards.module.js';

/** One count: of requests by whom (undefined: by nobody that can be told from others), and how many are too many. */
interface Limit {
  readonly limiter: RateLimiterMemory;
  readonly keyOf: (request: FastifyRequest) => string | undefined;
}

/** Load balancers ask as often as they like. */
const uncountedPaths = '/health/';

/** 429 without a body, with the seconds to wait (Read/Write profile, throttling). */
@Injectable()
class RateLimitGuard implements CanActivate {
  readonly #limits: readonly Limit[];

  constructor(config: Config, certificates: ClientCertificateReader) {
    const { perClient, perAddress, windowSeconds } = config.rateLimit;
    // Behind an ingress every request comes from the ingress' own address: only certificates tell the callers apart.
    const isAddressKnown = config.tls.clientCertificateSource === 'tls';
    const addressOf = (request: FastifyRequest): string | undefined => (isAddressKnown ? request.ip : undefined);
    this.#limits = [
      ...limit(perClient, windowSeconds, (request) => certificates.read(request)?.thumbprint ?? addressOf(request)),
      ...limit(perAddress, windowSeconds, addressOf),
    ];
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.routeOptions.url?.startsWith(uncountedPaths)) return true;
    for (const { limiter, keyOf } of this.#limits) {
      const key = keyOf(request);
      if (key !== undefined) await count(limiter, key);
    }
    return true;
  }
}

async function count(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    throw new BodilessError(429, `more than ${limiter.points} requests`, { 'retry-after': String(seconds) });
  }
}

function limit(points: number, duration: number, keyOf: Limit['keyOf']): Limit[] {
  return points === 0 ? [] : [{ limiter: new RateLimiterMemory({ points, duration }), keyOf }];
}

/**
 * Fair usage, counted by each process for itself: so many requests per window for one client, known by its certificate
 * (without one by its address, unless that is an ingress' address), and for one address. It comes before every other
 * guard of a route.
 */
@Module({})
export class RateLimitModule {
  static forRoot(config: Config): DynamicModule {
    const { perClient, perAddress } = config.rateLimit;
    if (perClient === 0 && perAddress === 0) return { module: RateLimitModule };
    return {
      module: RateLimitModule,
      imports: [GuardsModule],
      providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }],
    };
  }
}
