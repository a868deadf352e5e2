/** The most memory of a process, in MiB. */
export const memoryLimit: number;
/** How many of the longest files one TPP sends at once. */
export const filesAtOnce: number;
/** Options of node and the program. */
export const apiCommand: readonly string[];
/** @returns the most memory that a process has had, in MiB */
export function peakMegabytes(pid: number | undefined): number;
