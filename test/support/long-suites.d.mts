export const longSuites: readonly string[];
export const firstOfShortRing: readonly string[];
