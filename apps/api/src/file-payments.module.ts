import { Module } from '@nestjs/common';
import { ConsentModule } from '#libs/consent';
import { DirectoryModule, KeySets } from '#libs/directory';
import { FilePaymentModule } from '#libs/file-payment';
import { BearerTokenGuard, ClientKeyLookup, GuardsModule, JwsSignatureGuard } from '#libs/guards';
import { TokenStoreModule } from '#libs/token-store';
import { FilePaymentConsentsController } from './file-payment-consents/file-payment-consents.controller.js';
import { FilePaymentConsentsService } from './file-payment-consents/file-payment-consents.service.js';
import { FilePaymentsController } from './file-payments/file-payments.controller.js';
import { FilePaymentsService } from './file-payments/file-payments.service.js';

/** The file payment area, with the ports of its guards bound to the token store and the directory. */
@Module({
  imports: [ConsentModule, FilePaymentModule, GuardsModule, TokenStoreModule, DirectoryModule],
  controllers: [FilePaymentConsentsController, FilePaymentsController],
  providers: [
    { provide: ClientKeyLookup, useExisting: KeySets },
    BearerTokenGuard,
    JwsSignatureGuard,
    FilePaymentConsentsService,
    FilePaymentsService,
  ],
})
export class FilePaymentsModule {}
