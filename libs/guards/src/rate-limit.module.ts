import { type CanActivate, type DynamicModule, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { createCallerNetwork } from '#libs/http-server';
import { ClientCertificateReader } from './client-certificate-reader.js';
import { GuardsModule } from './guards.module.js';
import './api-request.js';
import { assertNotExceeded, RequestCount } from './request-count.js';

/** One count of requests: by whom (undefined if the caller cannot be distinguished from others), and its limit. */
interface Limit {
  readonly name: 'client' | 'address';
  readonly count: RequestCount;
  readonly keyOf: (request: FastifyRequest) => string | undefined;
}

/** Load balancers are not limited. */
const uncountedPaths = '/health/';

/** 429 without a body, with the seconds to wait (Read/Write profile, throttling). */
@Injectable()
class RateLimitGuard implements CanActivate {
  readonly #limits: readonly Limit[];

  constructor(config: Config, certificates: ClientCertificateReader) {
    const { perClient, perAddress, windowSeconds } = config.rateLimit;
    const networkOf = createCallerNetwork(config);
    // If addresses do not count, all callers may share one: only certificates distinguish them.
    const withoutCertificate = perAddress === 0 ? () => undefined : networkOf;
    this.#limits = [
      ...limit(
        'client',
        perClient,
        windowSeconds,
        (request) => certificates.read(request)?.thumbprint ?? withoutCertificate(request),
      ),
      ...limit('address', perAddress, windowSeconds, networkOf),
    ];
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.routeOptions.url?.startsWith(uncountedPaths)) return true;
    for (const { name, count, keyOf } of this.#limits) {
      const key = keyOf(request);
      if (key === undefined) continue;
      const quota = await count.take(key);
      (request.quotas ??= []).push({ ...quota, name });
      assertNotExceeded(quota);
    }
    return true;
  }
}

function limit(name: Limit['name'], points: number, windowSeconds: number, keyOf: Limit['keyOf']): Limit[] {
  return points === 0 ? [] : [{ name, count: new RequestCount({ points, windowSeconds }), keyOf }];
}

/**
 * Fair usage, counted by each process for itself: limits the requests per window of one client, known by its
 * certificate (without one by its address, unless that may be everybody's), and of one address (IPv6: its /64). It
 * comes before every other guard of a route.
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
