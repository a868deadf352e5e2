import type { CustomerSessions, SessionKey } from '#libs/customer-session';
import type { Config } from '#libs/config';

/** A request sooner than this after the last one does not extend the session. */
const unrenewedMilliseconds = 5_000;

/**
 * The session lives as long as somebody uses it (SCA-RTS art. 4(3)(d), WCAG 2.2.1).
 * @returns the session, with its new end
 */
export async function renewed<Session extends { readonly expiresAt: Date }>(
  session: Session,
  of: { key: SessionKey; sessions: Pick<CustomerSessions, 'renew'>; config: Config; now: Date },
): Promise<Session> {
  const { key, sessions, config, now } = of;
  const { idleSeconds, sessionSeconds } = config.authorization;
  const left = session.expiresAt.getTime() - now.getTime();
  if (left > idleSeconds * 1_000 - unrenewedMilliseconds) return session;
  const expiresAt = await sessions.renew({ key, now, idleSeconds, sessionSeconds });
  return expiresAt === undefined ? session : { ...session, expiresAt };
}
