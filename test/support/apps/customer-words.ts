/** The words that customers read, and the cookies of their sessions. */
export { describeAccess } from '../../../apps/authorize/src/consent/describe-access.js';
export { describePermissions } from '../../../apps/authorize/src/consent/permissions.js';
export { formatAccount } from '../../../apps/authorize/src/consent/format.js';
export { createNextSessionValue } from '../../../apps/authorize/src/psu-session/next-session-value.js';
export { parseSessionCookies } from '../../../apps/authorize/src/psu-session/session-cookie.js';
export { en } from '../../../apps/authorize/src/wording/en.js';
export { Words } from '../../../apps/authorize/src/wording/words.js';
export { createBankAppPage } from '../../../apps/sandbox/src/bank/bank-app-page.js';
