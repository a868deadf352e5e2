/** How the README and the deployments start the token app. */
export const tokenNodeOptions: readonly string[];
