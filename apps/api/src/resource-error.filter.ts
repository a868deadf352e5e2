import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import { Config } from '#libs/config';
import { ConsentError, type ConsentErrorCode } from '#libs/consent';
import { answerWithObError, ObError, type ObErrorStatus, obErrorItem } from '#libs/error-envelope';
import { FilePaymentError, type FilePaymentErrorCode } from '#libs/file-payment';

/** How one of the features' errors is told to the TPP. */
interface ObErrorSpec {
  readonly status: ObErrorStatus;
  readonly errorCode: `UK.${string}`;
  readonly path?: string;
}

/**
 * Translates the errors of the consent and file payment features (reference 6.2, 6.3). Every code has its row, or this
 * file does not compile.
 */
abstract class ResourceErrorFilter implements ExceptionFilter {
  readonly #specs: Record<ConsentErrorCode | FilePaymentErrorCode, ObErrorSpec>;

  /** @param consentPath how the request names the consent: `ConsentId` or `Data.ConsentId` */
  constructor(config: Config, consentPath: string) {
    const forbidden = {
      status: 403,
      errorCode: `${config.bank.errorNamespace}.Resource.Forbidden` as `UK.${string}`,
    } as const;
    this.#specs = {
      ConsentNotFound: { status: 400, errorCode: 'UK.OBIE.Resource.NotFound', path: consentPath },
      ConsentOfAnotherClient: { ...forbidden, path: consentPath },
      InvalidConsentStatus: { status: 400, errorCode: 'UK.OBIE.Resource.InvalidConsentStatus', path: 'Data.Status' },
      IdempotencyKeyReused: {
        status: 400,
        errorCode: 'UK.OBIE.Rules.ResourceAlreadyExists',
        path: 'x-idempotency-key',
      },
      FileNotUploaded: { status: 400, errorCode: 'UK.OBIE.Resource.NotFound', path: consentPath },
      FilePaymentNotFound: { status: 400, errorCode: 'UK.OBIE.Resource.NotFound', path: 'FilePaymentId' },
      FilePaymentOfAnotherClient: { ...forbidden, path: 'FilePaymentId' },
      ConsentMismatch: { status: 400, errorCode: 'UK.OBIE.Resource.ConsentMismatch' },
    };
  }

  catch(error: ConsentError | FilePaymentError, host: ArgumentsHost): void {
    const { status, errorCode, path } = this.#specs[error.code];
    const item = obErrorItem(errorCode, error.message, error instanceof FilePaymentError ? (error.path ?? path) : path);
    answerWithObError(new ObError(status, error.message, [item], { cause: error }), host);
  }
}

/** For routes that name the consent in their path. */
@Injectable()
@Catch(ConsentError, FilePaymentError)
export class ConsentInPathErrorFilter extends ResourceErrorFilter {
  constructor(config: Config) {
    super(config, 'ConsentId');
  }
}

/** For routes that name the consent in their body. */
@Injectable()
@Catch(ConsentError, FilePaymentError)
export class ConsentInBodyErrorFilter extends ResourceErrorFilter {
  constructor(config: Config) {
    super(config, 'Data.ConsentId');
  }
}
