import { type CanActivate, type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Clock, Config } from '#libs/config';
import type { ObErrorCode } from '#libs/error-catalogue';
import { ObError, obErrorItem } from '#libs/error-envelope';
import { DetachedJwsError, type DetachedJwsErrorCode, type DetachedJwsForm, verifyDetachedJws } from '#libs/jws';
import { rawBody, singleHeader } from './api-request.js';
import { ClientKeyLookup } from './client-key-lookup.js';

const name = 'x-jws-signature';

const errorCodes: Record<DetachedJwsErrorCode, ObErrorCode> = {
  Malformed: 'UK.OBIE.Signature.Malformed',
  MissingClaim: 'UK.OBIE.Signature.MissingClaim',
  InvalidClaim: 'UK.OBIE.Signature.InvalidClaim',
  Invalid: 'UK.OBIE.Signature.Invalid',
};

/**
 * Detached JWS over the octets of the request body (Read/Write profile, message signing; RFC 7515 appendix F). A setting
 * has faulty signatures only logged: participants of 3.1 to 3.1.3 may have to live with libraries that sign wrongly.
 */
@Injectable()
export class JwsSignatureGuard implements CanActivate {
  readonly #keys: ClientKeyLookup;
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #logger = new Logger('JwsSignatureGuard');

  constructor(keys: ClientKeyLookup, config: Config, clock: Clock) {
    this.#keys = keys;
    this.#config = config;
    this.#clock = clock;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    try {
      request.detachedJwsForm = await this.#verify(request);
    } catch (error) {
      if (!(error instanceof ObError) || this.#config.signing.requestVerification === 'enforce') throw error;
      const { ErrorCode, Path } = error.items[0] ?? {};
      const { accessToken, interactionId } = request;
      this.#logger.warn({
        message: 'The signature of a request is faulty, and is let pass.',
        interactionId,
        clientId: accessToken?.clientId,
        signatureFault: ErrorCode,
        path: Path,
      });
    }
    return true;
  }

  /** @throws ObError 400 */
  async #verify(request: FastifyRequest): Promise<DetachedJwsForm> {
    const { accessToken } = request;
    if (accessToken === undefined) throw new TypeError('The bearer token guard must run before the signature guard.');
    const { value, isRepeated } = singleHeader(request, name);
    if (value === undefined || value === '') {
      throw refused('UK.OBIE.Signature.Missing', `The header ${name} is required: a detached JWS of the body.`, name);
    }
    if (isRepeated) throw refused('UK.OBIE.Signature.Malformed', `The header ${name} may be sent only once.`, name);
    try {
      const { form } = await verifyDetachedJws({
        detachedJws: value,
        body: rawBody(request),
        expectedIssuer: `${accessToken.orgId}/${accessToken.softwareId}`,
        trustAnchors: [this.#config.signing.trustAnchor],
        algorithms: accessToken.signingAlgorithms,
        findKeys: (kid) => this.#keys.findSigningKeys(accessToken, kid),
        now: this.#clock.now(),
      });
      return form;
    } catch (error) {
      if (error instanceof DetachedJwsError)
        throw refused(errorCodes[error.code], `${error.message}.`, error.path, error);
      throw error;
    }
  }
}

function refused(code: ObErrorCode, message: string, path: string, cause?: unknown): ObError {
  return new ObError(400, 'The signature of the request was refused.', [obErrorItem(code, message, path)], { cause });
}
