/** How the README and the deployments start the token app. */
export const tokenNodeOptions: readonly string[];
/** How the deployments start the API. */
export const apiNodeOptions: readonly string[];
