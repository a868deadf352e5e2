import { type CanActivate, type DynamicModule, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { callerNetwork } from '#libs/http-server';
import { ClientCertificateReader } from './client-certificate-reader.js';
import { GuardsModule } from './guards.module.js';
import { RequestCount } from './request-count.js';

/** One count: of requests by whom (undefined: by nobody that can be told from others), and how many are too many. */
interface Limit {
  readonly count: RequestCount;
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
    // Behind an ingress only certificates tell the callers apart.
    const networkOf = (request: FastifyRequest): string | undefined => callerNetwork(config, request);
    this.#limits = [
      ...limit(perClient, windowSeconds, (request) => certificates.read(request)?.thumbprint ?? networkOf(request)),
      ...limit(perAddress, windowSeconds, networkOf),
    ];
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.routeOptions.url?.startsWith(uncountedPaths)) return true;
    for (const { count, keyOf } of this.#limits) {
      const key = keyOf(request);
      if (key !== undefined) await count.add(key);
    }
    return true;
  }
}

function limit(points: number, windowSeconds: number, keyOf: Limit['keyOf']): Limit[] {
  return points === 0 ? [] : [{ count: new RequestCount({ points, windowSeconds }), keyOf }];
}

/**
 * Fair usage, counted by each process for itself: so many requests per window for one client, known by its certificate
 * (without one by its address, unless that is an ingress' address), and for one address (of IPv6 its /64). It comes before every other
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
