CREATE TABLE IF NOT EXISTS psus (
  psu_id text PRIMARY KEY,
  username text NOT NULL UNIQUE,
  display_name text NOT NULL,
  password_hash bytea NOT NULL,
  one_time_code_hash bytea NOT NULL,
  failed_attempts integer NOT NULL DEFAULT 0,
  locked_until timestamptz,
  approves_by text NOT NULL DEFAULT 'TextMessage',
  state text NOT NULL DEFAULT 'Active'
);
CREATE TABLE IF NOT EXISTS challenges (
  challenge_id text PRIMARY KEY,
  psu_id text NOT NULL REFERENCES psus,
  method text NOT NULL,
  binding jsonb NOT NULL,
  binding_hash bytea NOT NULL,
  status text NOT NULL,
  checked_at timestamptz,
  started_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  verified_at timestamptz
);
CREATE INDEX IF NOT EXISTS challenges_expires_at_idx ON challenges (expires_at);
CREATE TABLE IF NOT EXISTS unknown_usernames (
  username text PRIMARY KEY,
  failed_attempts integer NOT NULL,
  locked_until timestamptz
);
TRUNCATE unknown_usernames;
CREATE TABLE IF NOT EXISTS accounts (
  scheme_name text NOT NULL,
  identification text NOT NULL,
  name text NOT NULL,
  balance_pence bigint NOT NULL,
  reserved_pence bigint NOT NULL DEFAULT 0,
  approvals_required integer NOT NULL,
  is_blocked boolean NOT NULL,
  account_id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  PRIMARY KEY (scheme_name, identification)
);
CREATE TABLE IF NOT EXISTS account_holders (
  psu_id text NOT NULL REFERENCES psus,
  position integer NOT NULL,
  scheme_name text NOT NULL,
  identification text NOT NULL,
  may_pay boolean NOT NULL DEFAULT true,
  PRIMARY KEY (psu_id, position),
  FOREIGN KEY (scheme_name, identification) REFERENCES accounts
);
CREATE TABLE IF NOT EXISTS payment_batches (
  idempotency_key text PRIMARY KEY,
  request_hash bytea NOT NULL,
  scheme_name text NOT NULL,
  identification text NOT NULL,
  decision text NOT NULL,
  reason text,
  remaining_pence bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS payments (
  payment_id text PRIMARY KEY,
  request_hash bytea NOT NULL,
  batch_key text NOT NULL REFERENCES payment_batches,
  instruction jsonb NOT NULL,
  pence bigint NOT NULL,
  local_instrument text NOT NULL,
  requested_execution_date text,
  accepted_at timestamptz NOT NULL,
  passed_milliseconds bigint NOT NULL DEFAULT 0,
  is_refused boolean NOT NULL DEFAULT false,
  reported_status text
);
CREATE INDEX IF NOT EXISTS payments_batch_key_idx ON payments (batch_key);
CREATE INDEX IF NOT EXISTS payments_unreported_idx ON payments (accepted_at)
  WHERE reported_status IN ('Pending', 'AcceptedSettlementInProcess');
CREATE TABLE IF NOT EXISTS fences (
  payment_order_id text PRIMARY KEY,
  attempt integer NOT NULL
);
CREATE TABLE IF NOT EXISTS messages (
  psu_id text NOT NULL REFERENCES psus,
  idempotency_key text NOT NULL,
  text text NOT NULL,
  sent_at timestamptz NOT NULL,
  PRIMARY KEY (psu_id, idempotency_key)
);
CREATE TABLE IF NOT EXISTS decline_reports (report jsonb NOT NULL, reported_at timestamptz NOT NULL);
