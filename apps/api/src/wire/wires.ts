import type { Config } from '#libs/config';
import { filePaymentWire31 } from './v3.1/file-payment/file-payment-wire.js';
import { filePaymentWire40 } from './v4.0/file-payment/file-payment-wire.js';
import type { Wire } from './wire.js';

/** The versions that there are. Routes, certificates, signatures, limits and documents follow from this list. */
const wires: readonly Wire[] = [filePaymentWire31, filePaymentWire40];

/** @returns the versions that are served */
export function servedWires({ readWrite }: Pick<Config, 'readWrite'>): readonly Wire[] {
  return wires.filter(({ version }) => readWrite.versions.includes(version));
}

/** @returns the version that a path belongs to; undefined outside of the Read/Write API */
export function wireOf(path: string | undefined): Wire | undefined {
  return wires.find(({ prefix }) => path?.startsWith(`/${prefix}/`));
}
