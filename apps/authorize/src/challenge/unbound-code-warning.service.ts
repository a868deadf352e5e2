import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { Config } from '#libs/config';

/** Warns at every start if the bank has chosen codes without dynamic linking (SCA-RTS art. 5 and 17). */
@Injectable()
export class UnboundCodeWarning implements OnApplicationBootstrap {
  readonly #logger = new Logger('UnboundCodeWarning');

  constructor(
    private readonly config: Config,
    private readonly notes: AuditNotes,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.bank.unboundOneTimeCodes) return;
    this.#logger.warn(
      'UNBOUND_ONE_TIME_CODES is on: one-time codes are linked neither to the amount nor to the payees (SCA-RTS ' +
        'art. 5).',
    );
    this.notes.note({ action: 'bank.unbound-one-time-codes', reason: 'service started' });
  }
}
