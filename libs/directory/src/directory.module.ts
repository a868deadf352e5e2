import { Global, Module } from '@nestjs/common';
import { CertificateRevocation } from '#libs/guards';
import { Directories } from './directories.service.js';
import { KeySets } from './key-sets.service.js';
import { RevocationChecks } from './revocation/revocation-checks.service.js';
import { RevocationWatch } from './revocation/revocation-watch.js';
import { SoftwareStatements } from './software-statements.service.js';

/**
 * The trust framework as this service sees it: keys, software statements and revoked certificates. Needs ConfigModule,
 * PersistenceModule and TelemetryModule.
 * Global, because it binds a port of the guards.
 */
@Global()
@Module({
  providers: [
    Directories,
    KeySets,
    SoftwareStatements,
    { provide: CertificateRevocation, useClass: RevocationChecks },
    RevocationWatch,
  ],
  exports: [Directories, KeySets, SoftwareStatements, CertificateRevocation],
})
export class DirectoryModule {}
