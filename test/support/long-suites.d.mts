export const longSuites: readonly string[];
