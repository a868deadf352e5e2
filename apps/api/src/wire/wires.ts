import type { Config } from '#libs/config';
import { createAccountAccessWire } from './account-access/account-access-wire.js';
import { createFundsConfirmationWire } from './funds-confirmation/funds-confirmation-wire.js';
import { accessVersion31 } from './v3.1/access-version.js';
import { filePaymentWire31 } from './v3.1/file-payment/file-payment-wire.js';
import { accessVersion40 } from './v4.0/access-version.js';
import { filePaymentWire40 } from './v4.0/file-payment/file-payment-wire.js';
import type { AccessWire, FundsConfirmationWire, Wire, WireArea } from './wire.js';

/** The versions that there are. Routes, certificates, signatures, limits and documents follow from these lists. */
export const wires: readonly Wire[] = [filePaymentWire31, filePaymentWire40];
const accessVersions = [accessVersion31, accessVersion40];
const fundsConfirmationWires: readonly FundsConfirmationWire[] = accessVersions.map(createFundsConfirmationWire);
const accessWires: readonly AccessWire[] = [...accessVersions.map(createAccountAccessWire), ...fundsConfirmationWires];

/** @returns the versions of file payments that are served */
export function servedWires(config: Pick<Config, 'readWrite'>): readonly Wire[] {
  return servedOf(wires, config);
}

/** @returns the versions of each kind of access that are served */
export function servedAccessWires(config: Pick<Config, 'readWrite'>): readonly AccessWire[] {
  return servedOf(accessWires, config);
}

/** @returns the versions of funds confirmation that are served */
export function servedFundsConfirmationWires(config: Pick<Config, 'readWrite'>): readonly FundsConfirmationWire[] {
  return servedOf(fundsConfirmationWires, config);
}

/** @returns the area of one version that a path belongs to; undefined outside of the Read/Write API */
export function wireOf(path: string | undefined): WireArea | undefined {
  return [...wires, ...accessWires].find(({ prefix }) => path?.startsWith(`/${prefix}/`));
}

function servedOf<Served extends WireArea>(
  known: readonly Served[],
  { readWrite }: Pick<Config, 'readWrite'>,
): readonly Served[] {
  return known.filter(({ version }) => readWrite.versions.includes(version));
}
