import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '#libs/config';
import { ConsentModule } from '#libs/consent';
import { DirectoryModule, KeySets } from '#libs/directory';
import { FilePaymentModule } from '#libs/file-payment';
import { BearerTokenGuard, ClientKeyLookup, GuardsModule, JwsSignatureGuard } from '#libs/guards';
import { TokenStoreModule } from '#libs/token-store';
import { servedWires } from '../wire/wires.js';
import { createFilePaymentControllers } from './create-file-payment-controllers.js';
import { FilePaymentConsentsService } from './file-payment-consents.service.js';
import { FilePaymentsService } from './file-payments.service.js';

/** The Read/Write API in every version that is served, with the ports of its guards bound to the token store and the directory. */
@Module({
  imports: [ConsentModule, FilePaymentModule, GuardsModule, TokenStoreModule, DirectoryModule],
  providers: [
    { provide: ClientKeyLookup, useExisting: KeySets },
    BearerTokenGuard,
    JwsSignatureGuard,
    FilePaymentConsentsService,
    FilePaymentsService,
  ],
})
export class ResourcesModule {
  static forRoot(config: Config): DynamicModule {
    return { module: ResourcesModule, controllers: servedWires(config).flatMap(createFilePaymentControllers) };
  }
}
