import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import { Config } from '#libs/config';
import { ConsentError, type ConsentErrorCode } from '#libs/consent';
import type { BankErrorCode, ObErrorCode } from '#libs/error-catalogue';
import {
  answerWithObError,
  bankErrorItem,
  ObError,
  type ObErrorItem,
  type ObErrorStatus,
  obErrorItem,
} from '#libs/error-envelope';
import { FilePaymentError, type FilePaymentErrorCode } from '#libs/file-payment';

/** How one of the features' errors is told to the TPP. */
type ObErrorSpec = { readonly status: ObErrorStatus; readonly path?: string } & (
  { readonly errorCode: ObErrorCode } | { readonly bankErrorCode: BankErrorCode }
);

/**
 * Translates the errors of the consent and file payment features. Every code has its row, or this
 * file does not compile.
 */
abstract class ResourceErrorFilter implements ExceptionFilter {
  readonly #config: Config;
  readonly #specs: Record<ConsentErrorCode | FilePaymentErrorCode, ObErrorSpec>;

  /** @param consentPath how the request names the consent: `ConsentId` or `Data.ConsentId` */
  constructor(config: Config, consentPath: string) {
    this.#config = config;
    const forbidden = { status: 403, bankErrorCode: 'Resource.Forbidden' } as const;
    this.#specs = {
      ConsentNotFound: { status: 400, errorCode: 'UK.OBIE.Resource.NotFound', path: consentPath },
      ConsentOfAnotherClient: { ...forbidden, path: consentPath },
      InvalidConsentStatus: { status: 400, errorCode: 'UK.OBIE.Resource.InvalidConsentStatus', path: 'Data.Status' },
      IdempotencyKeyReused: {
        status: 400,
        errorCode: 'UK.OBIE.Rules.ResourceAlreadyExists',
        path: 'x-idempotency-key',
      },
      AfterCutOffDateTime: {
        status: 400,
        errorCode: 'UK.OBIE.Rules.AfterCutOffDateTime',
        path: 'Data.Initiation',
      },
      FileNotUploaded: { status: 400, errorCode: 'UK.OBIE.Resource.NotFound', path: consentPath },
      FilePaymentNotFound: { status: 400, errorCode: 'UK.OBIE.Resource.NotFound', path: 'FilePaymentId' },
      FilePaymentOfAnotherClient: { ...forbidden, path: 'FilePaymentId' },
      ConsentMismatch: { status: 400, errorCode: 'UK.OBIE.Resource.ConsentMismatch' },
    };
  }

  catch(error: ConsentError | FilePaymentError, host: ArgumentsHost): void {
    const spec = this.#specs[error.code];
    const path = (error instanceof FilePaymentError ? error.path : undefined) ?? spec.path;
    const item = this.#createItem(spec, error.message, path);
    answerWithObError(new ObError(spec.status, error.message, [item], { cause: error }), host, this.#config);
  }

  #createItem(spec: ObErrorSpec, message: string, path: string | undefined): ObErrorItem {
    return 'errorCode' in spec
      ? obErrorItem(spec.errorCode, message, path)
      : bankErrorItem(this.#config.bank.errorNamespace, spec.bankErrorCode, message, path);
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
