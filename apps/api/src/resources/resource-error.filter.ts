import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, type Type } from '@nestjs/common';
import { Config } from '#libs/config';
import { ConsentError, type ConsentErrorCode, ConsentStatusError } from '#libs/consent';
import { createFault, type Fault, type FaultCode, fieldInvalid } from '#libs/error-catalogue';
import { answerWithObError, BodilessError, ObError, type ObErrorStatus } from '#libs/error-envelope';
import { type Contradiction, FaultyFileError } from '#libs/file-payment';
import { PaymentOrderError, type PaymentOrderErrorCode } from '#libs/payment-order';
import { invalidToken } from '#libs/guards';
import { paths } from '../wire/paths.js';
import type { PaymentWire, WireArea } from '../wire/wire.js';

/** A version of a kind. If the kind pays, errors also need its names of statuses and of the payment's id. */
type NamingArea = WireArea & Partial<Pick<PaymentWire, 'stateName' | 'paymentId'>>;

/** The answer to an error of a feature. */
interface ObErrorSpec {
  readonly status: ObErrorStatus;
  readonly code: FaultCode;
  readonly path?: string;
}

/** Translates the errors of consents and payments. A code without a row does not compile. */
abstract class ResourceErrorFilter implements ExceptionFilter {
  readonly #specs: Record<Exclude<ConsentErrorCode, 'ClientNotActive'> | PaymentOrderErrorCode, ObErrorSpec>;

  /** @param consentPath where the request names the consent: `ConsentId` or `Data.ConsentId` */
  constructor(
    private readonly config: Config,
    private readonly wire: NamingArea,
    consentPath: string,
  ) {
    const keyTaken = { status: 400, code: 'Rules.ResourceAlreadyExists', path: 'x-idempotency-key' } as const;
    const wrongStatus = {
      status: 400,
      code: 'Resource.InvalidConsentStatus',
      path: paths.consentStatus,
    } as const;
    const paymentPath = wire.paymentId ?? consentPath;
    const forbidden = { status: 403, code: 'Resource.Forbidden' } as const;
    this.#specs = {
      ConsentNotFound: { status: 400, code: 'Resource.NotFound', path: consentPath },
      ConsentOfAnotherClient: { ...forbidden, path: consentPath },
      InvalidConsentStatus: wrongStatus,
      AlreadyThere: { ...wrongStatus, ...wire.refusals.AlreadyThere },
      ConsentOfAnotherVersion: { status: 400, code: 'Resource.ConsentMismatch', path: consentPath },
      IdempotencyKeyReused: { ...keyTaken, ...wire.refusals.IdempotencyKeyReused },
      IdempotencyKeyInUse: { ...keyTaken, ...wire.refusals.IdempotencyKeyInUse },
      AfterCutOffDateTime: {
        status: 400,
        code: 'Rules.AfterCutOffDateTime',
        path: paths.initiation,
      },
      FileNotUploaded: { status: 400, code: 'Resource.NotFound', path: consentPath },
      PaymentOrderNotFound: { status: 400, code: 'Resource.NotFound', path: paymentPath },
      PaymentOrderOfAnotherClient: { ...forbidden, path: paymentPath },
      ConsentMismatch: { status: 400, code: 'Resource.ConsentMismatch' },
      PaymentOrderOfAnotherVersion: { status: 400, code: 'Resource.ConsentMismatch', path: paymentPath },
    };
  }

  catch(error: ConsentError | PaymentOrderError | FaultyFileError, host: ArgumentsHost): void {
    answerWithObError(this.#toAnswer(error), host, this.config, this.wire.errorBody);
  }

  #toAnswer(error: ConsentError | PaymentOrderError | FaultyFileError): ObError | BodilessError {
    if (error instanceof FaultyFileError) {
      const faults = error.faults.map((fault) => toFault(fault));
      return new ObError(400, error.message, faults, { cause: error });
    }
    // The token ended while the request was in progress.
    if (error.code === 'ClientNotActive') return invalidToken('of a client that is not active');
    const spec = this.#specs[error.code];
    const path = (error instanceof PaymentOrderError ? error.path : undefined) ?? spec.path;
    const message = this.#messageOf(error);
    return new ObError(spec.status, message, [createFault(spec.code, message, path)], { cause: error });
  }

  #messageOf(error: ConsentError | PaymentOrderError): string {
    const { stateName } = this.wire;
    return error instanceof ConsentStatusError && stateName ? error.messageIn(stateName) : error.message;
  }
}

function toFault(fault: Fault | Contradiction): Fault {
  return 'term' in fault ? fieldInvalid(paths[fault.term], fault.rule) : fault;
}

/**
 * @param consentPath where the requests of a resource name the consent: `ConsentId` or `Data.ConsentId`
 * @returns the filter for a resource of one version
 */
export function createResourceErrorFilter(wire: NamingArea, consentPath: string): Type<ExceptionFilter> {
  @Injectable()
  @Catch(ConsentError, PaymentOrderError, FaultyFileError)
  class WireErrorFilter extends ResourceErrorFilter {
    constructor(config: Config) {
      super(config, wire, consentPath);
    }
  }
  return WireErrorFilter;
}
