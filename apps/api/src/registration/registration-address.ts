import type { Config } from '#libs/config';

/** Path of the registration endpoint (Open Banking Dynamic Client Registration 3.2). */
export const registrationPath = 'open-banking/v3.2/register';

/** @returns `registration_endpoint`, as discovery announces it; no slash at the end */
export function registrationEndpoint(config: Pick<Config, 'baseUrl'>): string {
  return `${config.baseUrl}/${registrationPath}`;
}
