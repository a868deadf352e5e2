import type { AppDescription } from '#libs/api-description';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { createAccessController } from './resources/create-access-controller.js';
import { createFilePaymentControllers } from './resources/create-file-payment-controllers.js';
import { accountAccessWire31 } from './wire/v3.1/account-access/account-access-wire.js';
import { filePaymentWire31 } from './wire/v3.1/file-payment/file-payment-wire.js';
import { accountAccessWire40 } from './wire/v4.0/account-access/account-access-wire.js';
import { filePaymentWire40 } from './wire/v4.0/file-payment/file-payment-wire.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationManagementController } from './registration/registration-management.controller.js';

/** For the generator of the API documents: one description for each area of this application. */
export const filePayments31Description: AppDescription = {
  server: 'baseUrl',
  controllers: createFilePaymentControllers(filePaymentWire31),
};

export const filePayments40Description: AppDescription = {
  server: 'baseUrl',
  controllers: createFilePaymentControllers(filePaymentWire40),
};

export const accounts31Description: AppDescription = {
  server: 'baseUrl',
  controllers: [createAccessController(accountAccessWire31)],
};

export const accounts40Description: AppDescription = {
  server: 'baseUrl',
  controllers: [createAccessController(accountAccessWire40)],
};

export const registrationDescription: AppDescription = {
  server: 'baseUrl',
  controllers: [DiscoveryController, RegistrationController, RegistrationManagementController],
};
