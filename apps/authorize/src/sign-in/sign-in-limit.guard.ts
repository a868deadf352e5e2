import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { RequestCount } from '#libs/guards';
import { callerNetwork } from '#libs/http-server';

const windowSeconds = 60;

/**
 * For the forms that carry a password or a one-time code. The bank locks a customer after a few wrong ones, so who may send many could lock
 * many customers: one network gets so many attempts a minute, right or wrong. Behind an ingress the ingress has to count them.
 */
@Injectable()
export class SignInLimitGuard implements CanActivate {
  readonly #config: Config;
  readonly #count: RequestCount | undefined;

  constructor(config: Config) {
    const { signInsPerAddress: points } = config.rateLimit;
    this.#config = config;
    this.#count = points === 0 ? undefined : new RequestCount({ points, windowSeconds });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const network = callerNetwork(this.#config, context.switchToHttp().getRequest<FastifyRequest>());
    if (network !== undefined) await this.#count?.add(network);
    return true;
  }
}
