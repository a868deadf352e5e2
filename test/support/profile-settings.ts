import type { ProfileSettings } from '#libs/oauth';

/** Settings of production, unless a bank sets others. */
export const defaultProfile: ProfileSettings = {
  fapiProfiles: ['fapi1-advanced'],
  plainCodeFlow: 'refuse',
  clientAssertionAudience: 'endpoints',
  refreshTokenRotation: 'never',
  defaultScope: 'registered',
};
