import type { AppDescription } from '#libs/api-description';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { createAccessController } from './resources/create-access-controller.js';
import { createFundsConfirmationController } from './resources/create-funds-confirmation-controller.js';
import { createFilePaymentControllers } from './resources/create-file-payment-controllers.js';
import type { AccessVersion } from './wire/access/access-version.js';
import { createAccountAccessWire } from './wire/account-access/account-access-wire.js';
import { createFundsConfirmationWire } from './wire/funds-confirmation/funds-confirmation-wire.js';
import { accessVersion31 } from './wire/v3.1/access-version.js';
import { accessVersion40 } from './wire/v4.0/access-version.js';
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
  controllers: [createAccessController(createAccountAccessWire(accessVersion31))],
};

export const accounts40Description: AppDescription = {
  server: 'baseUrl',
  controllers: [createAccessController(createAccountAccessWire(accessVersion40))],
};

export const fundsConfirmation31Description = describeFundsConfirmation(accessVersion31);
export const fundsConfirmation40Description = describeFundsConfirmation(accessVersion40);

export const registrationDescription: AppDescription = {
  server: 'baseUrl',
  controllers: [DiscoveryController, RegistrationController, RegistrationManagementController],
};

function describeFundsConfirmation(version: AccessVersion): AppDescription {
  const wire = createFundsConfirmationWire(version);
  return { server: 'baseUrl', controllers: [createAccessController(wire), createFundsConfirmationController(wire)] };
}
