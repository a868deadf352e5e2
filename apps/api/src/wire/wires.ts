import type { Config } from '#libs/config';
import { accountAccessWire31 } from './v3.1/account-access/account-access-wire.js';
import { filePaymentWire31 } from './v3.1/file-payment/file-payment-wire.js';
import { accountAccessWire40 } from './v4.0/account-access/account-access-wire.js';
import { filePaymentWire40 } from './v4.0/file-payment/file-payment-wire.js';
import type { AccessWire, Wire, WireArea } from './wire.js';

/** The versions that there are. Routes, certificates, signatures, limits and documents follow from these lists. */
export const wires: readonly Wire[] = [filePaymentWire31, filePaymentWire40];
const accessWires: readonly AccessWire[] = [accountAccessWire31, accountAccessWire40];

/** @returns the versions of file payments that are served */
export function servedWires(config: Pick<Config, 'readWrite'>): readonly Wire[] {
  return servedOf(wires, config);
}

/** @returns the versions of each kind of access that are served */
export function servedAccessWires(config: Pick<Config, 'readWrite'>): readonly AccessWire[] {
  return servedOf(accessWires, config);
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
