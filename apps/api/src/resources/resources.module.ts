import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '#libs/config';
import { AccessConsentModule } from '#libs/access-consent';
import { FundsChecksModule } from '#libs/bank';
import { ConsentModule } from '#libs/consent';
import { DirectoryModule, KeySets } from '#libs/directory';
import { FilePaymentModule } from '#libs/file-payment';
import { BearerTokenGuard, ClientKeyLookup, GuardsModule, JwsSignatureGuard } from '#libs/guards';
import { TokenStoreModule } from '#libs/token-store';
import { servedAccessWires, servedFundsConfirmationWires, servedWires } from '../wire/wires.js';
import { AccessConsentsService } from './access-consents.service.js';
import { createAccessController } from './create-access-controller.js';
import { createFilePaymentControllers } from './create-file-payment-controllers.js';
import { createFundsConfirmationController } from './create-funds-confirmation-controller.js';
import { FilePaymentConsentsService } from './file-payment-consents.service.js';
import { FilePaymentsService } from './file-payments.service.js';
import { FundsConfirmationsService } from './funds-confirmations.service.js';

/** The Read/Write API in every version that is served, with the ports of its guards bound to the token store and the directory. */
@Module({
  imports: [
    ConsentModule,
    AccessConsentModule,
    FundsChecksModule,
    FilePaymentModule,
    GuardsModule,
    TokenStoreModule,
    DirectoryModule,
  ],
  providers: [
    { provide: ClientKeyLookup, useExisting: KeySets },
    BearerTokenGuard,
    JwsSignatureGuard,
    AccessConsentsService,
    FilePaymentConsentsService,
    FilePaymentsService,
    FundsConfirmationsService,
  ],
})
export class ResourcesModule {
  static forRoot(config: Config): DynamicModule {
    const controllers = [
      ...servedWires(config).flatMap(createFilePaymentControllers),
      ...servedAccessWires(config).map(createAccessController),
      ...servedFundsConfirmationWires(config).map(createFundsConfirmationController),
    ];
    return { module: ResourcesModule, controllers };
  }
}
