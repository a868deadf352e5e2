/** The self-test of an ingress. */
export { checkIngress } from '../../../apps/ingress-check/src/check-ingress.js';
export { forgeCredentials } from '../../../apps/ingress-check/src/forge-credential.js';
export {
  announcedAddress,
  type Attacker,
  type AttackGroup,
  attackGroups,
  type Credential,
} from '../../../apps/ingress-check/src/target.js';
export { type Finding, isWholeWall } from '../../../apps/ingress-check/src/verdict.js';
