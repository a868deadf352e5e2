import type { Config } from '#libs/config';
import { accountAccessResources } from '../resources/create-access-controller.js';
import { domesticPaymentResources } from '../resources/create-domestic-payment-controllers.js';
import { filePaymentResources } from '../resources/create-file-payment-controllers.js';
import { fundsConfirmationResources } from '../resources/create-funds-confirmation-controller.js';
import type { Resources } from '../resources/resources.js';
import { createAccountAccessWire } from './account-access/account-access-wire.js';
import { createFundsConfirmationWire } from './funds-confirmation/funds-confirmation-wire.js';
import { accessVersion31 } from './v3.1/access-version.js';
import { domesticPaymentWire31 } from './v3.1/domestic-payment/domestic-payment-wire.js';
import { filePaymentWire31 } from './v3.1/file-payment/file-payment-wire.js';
import { accessVersion40 } from './v4.0/access-version.js';
import { domesticPaymentWire40 } from './v4.0/domestic-payment/domestic-payment-wire.js';
import { filePaymentWire40 } from './v4.0/file-payment/file-payment-wire.js';
import type { WireArea } from './wire.js';

/** The areas of the Read/Write API: one for each version of each kind. */
export interface ServedArea extends Pick<Resources<never>, 'imports' | 'providers'> {
  readonly wire: WireArea;
  readonly createControllers: () => ReturnType<Resources<never>['createControllers']>;
}

const accessVersions = [accessVersion31, accessVersion40];

/** All kinds and versions. Routes, certificates, signatures, limits and documents follow from this list. */
export const areas: readonly ServedArea[] = [
  ...serve([filePaymentWire31, filePaymentWire40], filePaymentResources),
  ...serve([domesticPaymentWire31, domesticPaymentWire40], domesticPaymentResources),
  ...serve(accessVersions.map(createAccountAccessWire), accountAccessResources),
  ...serve(accessVersions.map(createFundsConfirmationWire), fundsConfirmationResources),
];

/** @returns the areas of a kind, one for each version */
export function serve<Area extends WireArea>(wires: readonly Area[], resources: Resources<Area>): ServedArea[] {
  const { imports, providers, createControllers } = resources;
  return wires.map((wire) => ({ wire, imports, providers, createControllers: () => createControllers(wire) }));
}

/** @returns the areas of the served versions */
export function servedAreas({ readWrite }: Pick<Config, 'readWrite'>): readonly ServedArea[] {
  return areas.filter(({ wire }) => readWrite.versions.includes(wire.version));
}

/** @returns the area to which a path belongs; undefined outside the Read/Write API */
export function wireOf(path: string | undefined): WireArea | undefined {
  return areas.find(({ wire }) => path?.startsWith(`/${wire.prefix}/`))?.wire;
}
