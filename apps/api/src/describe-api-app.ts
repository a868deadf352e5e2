import type { AppDescription } from '#libs/api-description';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { createAccessController } from './resources/create-access-controller.js';
import { createFilePaymentControllers } from './resources/create-file-payment-controllers.js';
import { accountAccessWire31 } from './wire/v3.1/account-access/account-access-wire.js';
import { accountAccessWire40 } from './wire/v4.0/account-access/account-access-wire.js';
import { wires } from './wire/wires.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationManagementController } from './registration/registration-management.controller.js';

// For the generator of the API documents: one description for each area of this application.

/** File payments in each version. */
export const filePaymentDescriptions = wires.map((wire) => {
  const app: AppDescription = { server: 'baseUrl', controllers: createFilePaymentControllers(wire) };
  return { wire, app };
});

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
