// Tables of the two servers that we compare ours with.

/** A primary key, and the index by which rows expire: the minimum. */
export const floorTokenSchema = `
  CREATE TABLE used_jwt_ids (client_id uuid, jti text, expires_at timestamptz NOT NULL, PRIMARY KEY (client_id, jti));
  CREATE INDEX ON used_jwt_ids (expires_at);
  CREATE TABLE access_tokens (token_hash bytea PRIMARY KEY, client_id uuid NOT NULL, scope text NOT NULL,
    certificate_thumbprint text NOT NULL, expires_at timestamptz NOT NULL);
  CREATE INDEX ON access_tokens (expires_at);
  CREATE TABLE authorization_codes (code_hash bytea PRIMARY KEY, client_id uuid NOT NULL, consent_id uuid NOT NULL,
    redirect_uri text NOT NULL, scope text NOT NULL, subject text NOT NULL, nonce text NOT NULL, acr text NOT NULL,
    authenticated_at timestamptz NOT NULL, code_challenge text NOT NULL, expires_at timestamptz NOT NULL, redeemed_at timestamptz);
  CREATE INDEX ON authorization_codes (expires_at);`;

/** One table for every kind of payload, as the package suggests for SQL adapters. */
export const oidcProviderSchema = `
  CREATE TABLE oidc_payloads (model text, id text, payload jsonb NOT NULL, grant_id text, user_code text, uid text,
    expires_at timestamptz, consumed_at timestamptz, PRIMARY KEY (model, id));
  CREATE INDEX ON oidc_payloads (expires_at);`;

/** What the upload reads and writes, and no index beyond those that find it. */
export const floorUploadSchema = `
  CREATE TABLE access_tokens (token_hash bytea PRIMARY KEY, client_id uuid NOT NULL, certificate_thumbprint text NOT NULL,
    expires_at timestamptz NOT NULL);
  CREATE TABLE consents (consent_id uuid PRIMARY KEY, client_id uuid NOT NULL, status text NOT NULL, file_hash text NOT NULL,
    number_of_transactions integer NOT NULL, control_sum numeric NOT NULL, approval_hash bytea);
  CREATE TABLE payment_files (consent_id uuid PRIMARY KEY, content bytea NOT NULL);
  CREATE TABLE instruction_lists (consent_id uuid PRIMARY KEY, instructions text NOT NULL, amounts numeric[] NOT NULL);
  CREATE TABLE idempotency_keys (client_id uuid, operation text, idempotency_key text, request_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL, PRIMARY KEY (client_id, operation, idempotency_key));
  CREATE INDEX ON idempotency_keys (expires_at);`;

/** What a registration writes. */
export const floorRegistrationSchema = `
  CREATE TABLE used_jwt_ids (issuer text, jti text, expires_at timestamptz NOT NULL, PRIMARY KEY (issuer, jti));
  CREATE INDEX ON used_jwt_ids (expires_at);
  CREATE TABLE clients (client_id uuid PRIMARY KEY, software_id text NOT NULL, secret_hash bytea NOT NULL, metadata jsonb NOT NULL);`;

/** What consents, file payments and their status read and write. */
export const floorPaymentsSchema = `
  CREATE TABLE access_tokens (token_hash bytea PRIMARY KEY, client_id uuid NOT NULL, certificate_thumbprint text NOT NULL,
    expires_at timestamptz NOT NULL);
  CREATE TABLE consents (consent_id uuid PRIMARY KEY, client_id uuid NOT NULL, status text NOT NULL, initiation text NOT NULL,
    number_of_transactions integer NOT NULL DEFAULT 0, created_at timestamptz NOT NULL);
  CREATE TABLE payment_orders (payment_order_id uuid PRIMARY KEY, consent_id uuid NOT NULL UNIQUE, client_id uuid NOT NULL,
    status text NOT NULL, created_at timestamptz NOT NULL);
  CREATE TABLE payments (payment_id text PRIMARY KEY, payment_order_id uuid NOT NULL, position integer NOT NULL, status text NOT NULL,
    UNIQUE (payment_order_id, position));
  CREATE TABLE idempotency_keys (client_id uuid, operation text, idempotency_key text, request_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL, PRIMARY KEY (client_id, operation, idempotency_key));
  CREATE INDEX ON idempotency_keys (expires_at);`;

/** The same with the files that reports are made of. */
export const floorReportSchema = `${floorPaymentsSchema}
  CREATE TABLE payment_files (consent_id uuid PRIMARY KEY, content bytea NOT NULL);`;

/** What the pages of a file read and write. */
export const floorPagesSchema = `
  CREATE TABLE sessions (session_hash bytea PRIMARY KEY, consent_id uuid NOT NULL, psu_id text, challenge_id text,
    debtor_account text, expires_at timestamptz NOT NULL);
  CREATE TABLE authorization_codes (code_hash bytea PRIMARY KEY, consent_id uuid NOT NULL, psu_id text NOT NULL,
    approved_hash bytea NOT NULL, expires_at timestamptz NOT NULL);
  CREATE INDEX ON authorization_codes (expires_at);
  CREATE TABLE payment_files (consent_id uuid PRIMARY KEY, content bytea NOT NULL);`;

/** Files that are due, and their payments. */
export const floorHandOverSchema = `
  CREATE TABLE files (id uuid PRIMARY KEY, status text NOT NULL, due_at timestamptz, payments json NOT NULL);
  CREATE INDEX ON files (due_at);
  CREATE TABLE payments (payment_id text PRIMARY KEY, status text NOT NULL, handed_over_at timestamptz);`;
