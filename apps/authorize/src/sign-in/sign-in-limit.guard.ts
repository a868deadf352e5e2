import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { RequestCount } from '#libs/guards';
import { createCallerNetwork } from '#libs/http-server';

const windowSeconds = 60;

/**
 * For the forms that carry a password or a one-time code, or make the bank send one. The bank locks a customer after a few wrong ones, so who may send many could lock
 * many customers: one network gets so many attempts a minute, right or wrong, and all together so many. Behind an ingress that ends TLS the
 * ingress has to count networks.
 */
@Injectable()
export class SignInLimitGuard implements CanActivate {
  readonly #networkOf: ReturnType<typeof createCallerNetwork>;
  readonly #count: RequestCount | undefined;
  readonly #overAll: RequestCount | undefined;

  constructor(config: Config) {
    const { signInsPerAddress, signInsPerMinute } = config.rateLimit;
    this.#networkOf = createCallerNetwork(config);
    this.#count = createCount(signInsPerAddress);
    this.#overAll = createCount(signInsPerMinute);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const network = this.#networkOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (network !== undefined) await this.#count?.add(network);
    await this.#overAll?.add('all');
    return true;
  }
}

function createCount(points: number): RequestCount | undefined {
  return points === 0 ? undefined : new RequestCount({ points, windowSeconds });
}
