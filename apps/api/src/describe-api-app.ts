import type { AppDescription } from '#libs/api-description';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { FilePaymentConsentsController } from './file-payment-consents/file-payment-consents.controller.js';
import { FilePaymentsController } from './file-payments/file-payments.controller.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationManagementController } from './registration/registration-management.controller.js';

/** For the generator of the API documents: one description for each area of this application. */
export const filePaymentsDescription: AppDescription = {
  server: 'baseUrl',
  controllers: [FilePaymentConsentsController, FilePaymentsController],
};

export const registrationDescription: AppDescription = {
  server: 'baseUrl',
  controllers: [DiscoveryController, RegistrationController, RegistrationManagementController],
};
