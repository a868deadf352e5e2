import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CertificateRevocation } from '#libs/guards';
import { Database } from '#libs/persistence';
import { Telemetry } from '#libs/telemetry';
import { RevocationChecks } from './revocation-checks.service.js';

/** Shows operators how often the revocation status of a certificate was unknown. */
@Injectable()
export class RevocationWatch implements OnModuleInit, OnApplicationShutdown {
  #stop = (): void => undefined;

  constructor(
    private readonly revocation: CertificateRevocation,
    private readonly database: Database,
    private readonly telemetry: Telemetry,
  ) {}

  onModuleInit(): void {
    const revocation = this.revocation;
    if (!(revocation instanceof RevocationChecks)) return;
    this.#stop = this.telemetry.watchRevocation(this.database.applicationName, () => revocation.unknown);
  }

  onApplicationShutdown(): void {
    this.#stop();
  }
}
