import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RegistrationError } from '#libs/client-registration';
import { Config } from '#libs/config';
import { KeySetError, SoftwareStatementError } from '#libs/directory';
import { createFault, errorPageUrl, type OAuthErrorCode } from '#libs/error-catalogue';
import { answerWithObError, BodilessError, createObErrorBody, ObError, unexpectedError } from '#libs/error-envelope';
import { reportRefusal, unavailableWithDatabase } from '#libs/http-server';

/** Seconds until a client should retry while a key set cannot be read. */
const retryAfterSeconds = 5;
export const keySetUnreadable = createFault('UnexpectedError', 'A key set of the directory cannot be read.');
const directoryUnavailable = 'The directory does not answer at the moment. Send the request again later.';

/** The body: OBErrorResponse1 with the members of RFC 7591 s3.2.2. */
interface RegistrationRefusal {
  error: OAuthErrorCode;
  obError: ObError;
}

/**
 * Answers failed requests of the registration area. The body has both forms, because the published description requires
 * one and RFC 7591 the other; `error` is that of the first fault.
 */
@Catch()
export class RegistrationErrorFilter implements ExceptionFilter {
  readonly #logger = new Logger('RegistrationErrorFilter');

  constructor(private readonly config: Config) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const exception = unavailableWithDatabase(thrown, host);
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    void reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
    if (exception instanceof BodilessError || exception instanceof HttpException) {
      answerWithObError(exception, host, this.config, (obError) =>
        this.#toBody({ error: obError.status === 400 ? 'invalid_client_metadata' : 'server_error', obError }),
      );
      return;
    }
    const refusal = toRefusal(exception);
    const { obError } = refusal;
    reportRefusal({ request, status: obError.status, error: exception });
    const body = this.#toBody(refusal);
    if (obError.status >= 500) {
      const { interactionId } = request;
      const message = 'A registration could not be answered.';
      this.#logger.error({ message, errorId: body.Id, interactionId, error: obError.cause });
    }
    if (obError.status === 503) void reply.header('retry-after', retryAfterSeconds);
    void reply.status(obError.status).type('application/json; charset=utf-8').send(body);
  }

  #toBody({ error, obError }: RegistrationRefusal): ReturnType<typeof createObErrorBody> {
    const body = createObErrorBody(obError, this.config);
    // Some validators accept no members besides those of OBErrorResponse1.
    if (!this.config.registration.rfc7591Errors) return body;
    const error_description = toErrorDescription(body.Errors[0]?.Message ?? body.Message);
    return { ...body, error, error_description, error_uri: errorPageUrl(this.config.baseUrl, error) } as typeof body;
  }
}

function toRefusal(exception: unknown): RegistrationRefusal {
  if (exception instanceof RegistrationError || exception instanceof SoftwareStatementError) {
    const obError = new ObError(400, 'The registration request was refused.', exception.faults, { cause: exception });
    return { error: exception.faults[0].error, obError };
  }
  if (exception instanceof ObError && exception.status !== 500) {
    return { error: exception.status === 403 ? 'access_denied' : 'invalid_client_metadata', obError: exception };
  }
  if (exception instanceof KeySetError) {
    const obError = new ObError(503, directoryUnavailable, [keySetUnreadable], { cause: exception });
    return { error: 'temporarily_unavailable', obError };
  }
  return { error: 'server_error', obError: exception instanceof ObError ? exception : unexpectedError(exception) };
}

/** RFC 6749 s5.2: printable ASCII without quotes and backslashes. */
function toErrorDescription(message: string): string {
  return message.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?');
}
