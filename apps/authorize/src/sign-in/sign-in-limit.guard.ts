import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AuditNotes } from '#libs/audit';
import { Config } from '#libs/config';
import { createCallerNetwork } from '#libs/http-server';
import { SignInLimit } from './sign-in-limit.js';

/**
 * For the forms that carry a password or a one-time code, or make the bank send one. The bank locks a customer after a few wrong ones, so who may send many could lock
 * many customers: one network gets so many attempts a minute, right or wrong. Behind an ingress that ends TLS the ingress has to count networks.
 */
@Injectable()
export class SignInLimitGuard implements CanActivate {
  readonly #networkOf: ReturnType<typeof createCallerNetwork>;
  readonly #limit: SignInLimit;

  constructor(config: Config, notes: AuditNotes) {
    this.#networkOf = createCallerNetwork(config);
    this.#limit = new SignInLimit({ points: config.rateLimit.signInsPerAddress, name: 'Network' }, notes);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const network = this.#networkOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (network !== undefined) await this.#limit.add(network);
    return true;
  }
}
