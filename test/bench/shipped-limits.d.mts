/** The most memory of a process, in MiB. */
export const memoryLimit: number;
/** Options of node and the program. */
export const apiCommand: readonly string[];
/** @returns the most memory that a process has had, in MiB */
export function peakMegabytes(pid: number | undefined): number;
