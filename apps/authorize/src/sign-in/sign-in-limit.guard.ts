import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AuditNotes } from '#libs/audit';
import { Config } from '#libs/config';
import { createCallerNetwork } from '#libs/http-server';
import { SignInLimit } from './sign-in-limit.js';

/**
 * For forms that carry a password or a one-time code, or make the bank send one. The bank locks a customer after a few
 * wrong ones, so anybody who can send many could lock many customers. This limits the attempts of one network per
 * minute, right or wrong. If TLS ends at the ingress, the ingress has to count networks.
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
