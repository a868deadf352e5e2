import { Module } from '@nestjs/common';
import { ClientRegistrationModule } from '#libs/client-registration';
import { DirectoryModule } from '#libs/directory';
import { GuardsModule } from '#libs/guards';
import { TokenStoreModule } from '#libs/token-store';
import { RegistrationAnswers } from './registration-answers.js';
import { RegistrationManagementController } from './registration-management.controller.js';
import { RegistrationMediaTypeGuard } from './registration-media-type.guard.js';
import { RegistrationOwnerGuard } from './registration-owner.guard.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationService } from './registration.service.js';

/** Client registration v3.2. Needs ConfigModule and PersistenceModule. */
@Module({
  imports: [ClientRegistrationModule, DirectoryModule, GuardsModule, TokenStoreModule],
  controllers: [RegistrationController, RegistrationManagementController],
  providers: [RegistrationService, RegistrationAnswers, RegistrationMediaTypeGuard, RegistrationOwnerGuard],
})
export class RegistrationModule {}
