import { type FapiProfile, fapiProfiles } from '#libs/oauth';
import { type Statement, statement } from '#libs/persistence';

/** What the bank decides about a single client, besides its status. */
export interface ClientRules {
  /** its client assertions must name only the issuer (RFC 10070) */
  requireIssuerAudience: boolean;
  fapiProfile: FapiProfile;
}

/** The columns of the rules. */
export const ruleColumns = 'require_issuer_audience, fapi_profile';

interface RuleChange {
  readonly clientId: string;
  /** what the operator chose, where there is a choice */
  readonly value: string | undefined;
  readonly now: Date;
}

/** The change of a rule, as operators name it. */
interface RuleCommand {
  readonly help: string;
  readonly choice?: { readonly name: string; readonly about: string; readonly values: readonly string[] };
  readonly change: Statement<RuleChange>;
}

const changeRule = (name: string) => statement<RuleChange>(name, ['clientId']);

const requireIssuerAudience = changeRule('require-issuer-audience')`
  UPDATE clients SET require_issuer_audience = true, updated_at = :now
  WHERE client_id = :clientId AND status <> 'Deleted'`;

const acceptOlderAudiences = changeRule('accept-older-audiences')`
  UPDATE clients SET require_issuer_audience = false, updated_at = :now
  WHERE client_id = :clientId AND status <> 'Deleted'`;

/** FAPI 2.0 knows no secrets (Security Profile s5.3.2.1-6). */
const setFapiProfile = changeRule('set-fapi-profile')`
  UPDATE clients SET fapi_profile = :value::text, updated_at = :now
  WHERE client_id = :clientId AND status <> 'Deleted'
    AND (:value::text = 'fapi1-advanced' OR token_endpoint_auth_method IN ('private_key_jwt', 'tls_client_auth'))`;

const commands = {
  'require-issuer-audience': {
    help: 'refuse its client assertions unless they name only the issuer (RFC 10070)',
    change: requireIssuerAudience,
  },
  'accept-older-audiences': {
    help: 'accept the token endpoint as audience again',
    change: acceptOlderAudiences,
  },
  'set-profile': {
    help: 'assign a client a FAPI profile, one of FAPI_PROFILES',
    choice: { name: 'profile', about: 'its profile', values: fapiProfiles },
    change: setFapiProfile,
  },
} satisfies Record<string, RuleCommand>;

export type ClientRule = keyof typeof commands;

/** The operator's commands that change a rule. */
export const clientRules: Readonly<Record<ClientRule, RuleCommand>> = commands;
