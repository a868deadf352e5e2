import { AccessDeniedError, resolveAcr } from '#libs/oauth';
import type { OpenSession } from './open-session.js';

/** @returns the `acr` for the ID tokens; undefined if an essential one was not reached (OIDC Core s5.5.1.1) */
export function resolveAcrOrUndefined(open: Pick<OpenSession, 'session'>, performed: string): string | undefined {
  try {
    return resolveAcr({ requested: open.session.request.acr, performed });
  } catch (error) {
    if (error instanceof AccessDeniedError) return undefined;
    throw error;
  }
}
