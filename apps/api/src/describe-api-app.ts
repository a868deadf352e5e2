import type { AppDescription } from '#libs/api-description';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RegistrationManagementController } from './registration/registration-management.controller.js';
import { closedClasses } from './wire/form/members.js';
import type { AreaDocument } from './wire/wire.js';
import { areas, type ServedArea } from './wire/wires.js';

// For the generator of the API documents: one description for each area of this application.

/** An area of the Read/Write API with its controllers. */
export interface DescribedArea {
  readonly document: AreaDocument;
  /** names of the schemas that have no other members */
  readonly closedSchemas: ReadonlySet<string>;
  readonly app: AppDescription;
}

/** @returns the description of each area of the Read/Write API, in each version */
export function describeReadWriteAreas(of: readonly ServedArea[] = areas): DescribedArea[] {
  return of.map(({ wire: { document, isClosed }, createControllers }) => ({
    document,
    closedSchemas: new Set(isClosed ? [...closedClasses].map(({ name }) => name) : []),
    app: { server: 'baseUrl', controllers: createControllers() },
  }));
}

/** How bodies are signed in each version of the Read/Write API, the oldest first. */
export const signatureForms = new Map(
  areas.filter(({ wire }) => wire.isSigned).map(({ wire }) => [wire.version, wire.signatureForm]),
);

export const registrationDescription: AppDescription = {
  server: 'baseUrl',
  controllers: [DiscoveryController, RegistrationController, RegistrationManagementController],
};
