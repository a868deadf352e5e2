import type { ProfileSettings } from '#libs/oauth';

/** What production has unless a bank sets something else. */
export const defaultProfile: ProfileSettings = {
  fapiProfiles: ['fapi1-advanced'],
  plainCodeFlow: 'refuse',
  clientAssertionAudience: 'endpoints',
  refreshTokenRotation: 'never',
  defaultScope: 'registered',
};
