import { type CanActivate, type ExecutionContext, Injectable, Logger, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Clock, Config } from '#libs/config';
import { createFault, type Fault, type FaultCode } from '#libs/error-catalogue';
import { BodilessError, ObError } from '#libs/error-envelope';
import { DetachedJwsError, type DetachedJwsErrorCode, type DetachedJwsForm, verifyDetachedJws } from '#libs/jws';
import { rawBody, singleHeader } from './api-request.js';
import { ClientKeyLookup } from './client-key-lookup.js';

const name = 'x-jws-signature';

export const signatureMissing = createFault(
  'Signature.Missing',
  `The header ${name} is required: a detached JWS of the body.`,
  name,
);

const formKey = 'signature-form';

/**
 * Declares the only signature form that a resource accepts. The setting that tolerates invalid signatures then has no
 * effect.
 */
export const RequireSignatureForm = (form: DetachedJwsForm): ClassDecorator => SetMetadata(formKey, form);

const errorCodes: Record<DetachedJwsErrorCode, FaultCode> = {
  Malformed: 'Signature.Malformed',
  MissingClaim: 'Signature.MissingClaim',
  InvalidClaim: 'Signature.InvalidClaim',
  Invalid: 'Signature.Invalid',
};

/**
 * Detached JWS over the bytes of the request body (Read/Write profile, message signing; RFC 7515 appendix F). A
 * setting has faulty signatures only logged: participants of 3.1 to 3.1.3 may have to live with libraries that sign
 * wrongly.
 */
@Injectable()
export class JwsSignatureGuard implements CanActivate {
  readonly #logger = new Logger('JwsSignatureGuard');

  constructor(
    private readonly keys: ClientKeyLookup,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const required = this.reflector.get<DetachedJwsForm | undefined>(formKey, context.getClass());
    try {
      const form = await this.#verify(request);
      if (required !== undefined && form !== required) throw wrongForm(form);
      request.detachedJwsForm = form;
    } catch (error) {
      const isEnforced = required !== undefined || this.config.signing.requestVerification === 'enforce';
      if (!(error instanceof ObError) || isEnforced) throw error;
      const [fault] = error.faults;
      const { accessToken, interactionId } = request;
      this.#logger.warn({
        message: 'A request with an invalid signature was accepted.',
        interactionId,
        clientId: accessToken?.clientId,
        signatureFault: fault?.code,
        path: fault?.path,
      });
    }
    return true;
  }

  /** @throws ObError 400 */
  async #verify(request: FastifyRequest): Promise<DetachedJwsForm> {
    const { accessToken } = request;
    if (accessToken === undefined) throw new TypeError('The bearer token guard must run before the signature guard.');
    const { value, isRepeated } = singleHeader(request, name);
    if (value === undefined || value === '') throw refused(signatureMissing);
    if (isRepeated) {
      throw refused(createFault('Signature.Malformed', `The header ${name} may be sent only once.`, name));
    }
    try {
      const { form } = await verifyDetachedJws({
        detachedJws: value,
        body: rawBody(request),
        expectedIssuer: `${accessToken.orgId}/${accessToken.softwareId}`,
        trustAnchors: [this.config.signing.trustAnchor],
        algorithms: accessToken.signingAlgorithms,
        findKeys: (query) => this.keys.findClientKeys(accessToken, query).catch(withoutKeys),
        maxAgeSeconds: this.config.signing.maxAgeSeconds.get(versionOf(request)),
        now: this.clock.now(),
      });
      return form;
    } catch (error) {
      if (error instanceof DetachedJwsError)
        throw refused(createFault(errorCodes[error.code], `${error.message}.`, error.path), error);
      throw error;
    }
  }
}

/**
 * The version in the route's path, `/open-banking/v…/…`, because the caller may spell the request's address
 * differently.
 */
function versionOf({ routeOptions: { url = '' } }: FastifyRequest): string {
  return /^\/open-banking\/([^/]+)\//.exec(url)?.[1] ?? '';
}

/** The directory does not answer: the request may be repeated. */
function withoutKeys(cause: unknown): never {
  throw new BodilessError(503, `no keys of the client: ${String(cause)}`, { 'retry-after': '5' });
}

function wrongForm(form: DetachedJwsForm): ObError {
  const rule = form === 'b64-false' ? 'must not be in the header, nor in crit' : 'must be false, and in crit';
  return refused(createFault('Signature.InvalidClaim', `b64 ${rule}.`, 'b64'));
}

function refused(fault: Fault, cause?: unknown): ObError {
  return new ObError(400, 'The signature of the request was refused.', [fault], { cause });
}
