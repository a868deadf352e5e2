-- Rules that hold whatever program writes. A guard refuses, and never writes. docs/decisions/platform/0004 lists them;
-- a test tries to break each with plain SQL.

-- PostgreSQL's own code for a row that breaks a constraint: programs know it.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

-- A state changes only by the steps of its table (consent-status.ts, access-consent-status.ts, file-payment-status.ts).
CREATE TRIGGER payment_consents_transitions BEFORE UPDATE OF status ON payment_consents FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (
    ('AwaitingUpload', 'AwaitingAuthorisation'),
    ('AwaitingUpload', 'Rejected'),
    ('AwaitingAuthorisation', 'Authorised'),
    ('AwaitingAuthorisation', 'Rejected'),
    ('Authorised', 'Consumed'),
    ('Authorised', 'Rejected')))
  EXECUTE FUNCTION refuse_change('A state changes only by the steps of its table.');
CREATE TRIGGER access_consents_transitions BEFORE UPDATE OF status ON access_consents FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (
    ('AwaitingAuthorisation', 'Authorised'),
    ('AwaitingAuthorisation', 'Rejected'),
    ('Authorised', 'Revoked'),
    ('Authorised', 'Expired'),
    ('Authorised', 'Withdrawn'),
    ('Withdrawn', 'Authorised'),
    ('Withdrawn', 'Revoked'),
    ('Withdrawn', 'Expired')))
  EXECUTE FUNCTION refuse_change('A state changes only by the steps of its table.');
CREATE TRIGGER payment_orders_transitions BEFORE UPDATE OF status ON payment_orders FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (
    ('InitiationPending', 'InitiationCompleted'),
    ('InitiationPending', 'InitiationFailed')))
  EXECUTE FUNCTION refuse_change('A state changes only by the steps of its table.');
CREATE TRIGGER payments_transitions BEFORE UPDATE OF status ON payments FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (
    ('Pending', 'AcceptedSettlementInProcess'),
    ('Pending', 'AcceptedSettlementCompleted'),
    ('Pending', 'AcceptedWithoutPosting'),
    ('Pending', 'AcceptedCreditSettlementCompleted'),
    ('Pending', 'Rejected'),
    ('AcceptedSettlementInProcess', 'AcceptedSettlementCompleted'),
    ('AcceptedSettlementInProcess', 'AcceptedWithoutPosting'),
    ('AcceptedSettlementInProcess', 'AcceptedCreditSettlementCompleted'),
    ('AcceptedSettlementInProcess', 'Rejected'),
    ('AcceptedSettlementCompleted', 'AcceptedCreditSettlementCompleted')))
  EXECUTE FUNCTION refuse_change('A state changes only by the steps of its table.');

-- The values that a row was created with, and that were agreed, do not change.
CREATE TRIGGER payment_consents_lasting
  BEFORE UPDATE OF client_id, kind, api_version, approval_hash, approved_hash ON payment_consents FOR EACH ROW
  WHEN (OLD.client_id <> NEW.client_id OR OLD.kind <> NEW.kind OR OLD.api_version <> NEW.api_version
    OR (OLD.approval_hash IS NOT NULL AND OLD.approval_hash IS DISTINCT FROM NEW.approval_hash)
    OR (OLD.approved_hash IS NOT NULL AND OLD.approved_hash IS DISTINCT FROM NEW.approved_hash))
  EXECUTE FUNCTION refuse_change('Client, kind, version and hashes of a consent stay as they are.');
CREATE TRIGGER payment_consents_agreed
  BEFORE UPDATE OF number_of_transactions, control_sum, local_instrument ON payment_consents FOR EACH ROW
  WHEN (OLD.status <> 'AwaitingUpload'
    AND (OLD.number_of_transactions, OLD.control_sum, OLD.local_instrument)
      IS DISTINCT FROM (NEW.number_of_transactions, NEW.control_sum, NEW.local_instrument))
  EXECUTE FUNCTION refuse_change('Number, sum and scheme of a consent stay as they are.');
CREATE TRIGGER payment_orders_lasting
  BEFORE UPDATE OF consent_id, client_id, approvals_required ON payment_orders FOR EACH ROW
  WHEN (OLD.consent_id <> NEW.consent_id OR OLD.client_id <> NEW.client_id
    OR OLD.approvals_required <> NEW.approvals_required)
  EXECUTE FUNCTION refuse_change('Consent, client and approvals of a file payment stay as they are.');
CREATE TRIGGER payments_lasting BEFORE UPDATE OF payment_order_id, position, amount ON payments FOR EACH ROW
  WHEN (OLD.payment_order_id <> NEW.payment_order_id OR OLD.position <> NEW.position OR OLD.amount <> NEW.amount)
  EXECUTE FUNCTION refuse_change('File payment, position and amount of a payment stay as they are.');
CREATE TRIGGER instruction_lists_lasting BEFORE UPDATE OF amounts ON instruction_lists FOR EACH ROW
  WHEN (OLD.amounts IS DISTINCT FROM NEW.amounts)
  EXECUTE FUNCTION refuse_change('The amounts of a list stay as they are.');
CREATE TRIGGER instruction_lists_text BEFORE UPDATE OF instructions ON instruction_lists FOR EACH ROW
  WHEN (NEW.instructions <> '' AND OLD.instructions <> NEW.instructions)
  EXECUTE FUNCTION refuse_change('The text of a list may be erased, but not changed.');
CREATE TRIGGER access_consents_lasting BEFORE UPDATE OF client_id, kind, api_version ON access_consents FOR EACH ROW
  WHEN (OLD.client_id <> NEW.client_id OR OLD.kind <> NEW.kind OR OLD.api_version <> NEW.api_version)
  EXECUTE FUNCTION refuse_change('Client, kind and version of a consent stay as they are.');
CREATE TRIGGER access_consents_agreed BEFORE UPDATE OF terms ON access_consents FOR EACH ROW
  WHEN (OLD.terms <> NEW.terms AND (OLD.status IN ('AwaitingAuthorisation', 'Authorised')
    OR (OLD.status = 'Withdrawn' AND NEW.status <> 'Revoked')))
  EXECUTE FUNCTION refuse_change('What is agreed does not change.');

-- An approval does not change, and what has ended does not begin again. Together with the checks of the tables and the
-- rights of the roles: nobody but authorize can approve.
CREATE TRIGGER payment_consents_approval BEFORE UPDATE OF psu_id, challenge_id, debtor_account ON payment_consents
  FOR EACH ROW WHEN (OLD.debtor_account <> NEW.debtor_account
    OR (OLD.challenge_id IS NOT NULL
      AND (OLD.psu_id, OLD.challenge_id) IS DISTINCT FROM (NEW.psu_id, NEW.challenge_id)))
  EXECUTE FUNCTION refuse_change('What was approved does not change.');
CREATE TRIGGER access_consents_approval BEFORE UPDATE OF psu_id, accounts ON access_consents FOR EACH ROW
  WHEN ((OLD.psu_id IS NOT NULL AND OLD.psu_id IS DISTINCT FROM NEW.psu_id)
    OR (OLD.accounts <> NEW.accounts AND OLD.challenge_id = NEW.challenge_id))
  EXECUTE FUNCTION refuse_change('What was approved does not change.');
CREATE TRIGGER access_tokens_revoked BEFORE UPDATE OF revoked_at ON access_tokens FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
  EXECUTE FUNCTION refuse_change('What has ended does not begin again.');
CREATE TRIGGER refresh_grants_revoked BEFORE UPDATE OF revoked_at ON refresh_grants FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
  EXECUTE FUNCTION refuse_change('What has ended does not begin again.');
CREATE TRIGGER authorization_codes_redeemed BEFORE UPDATE OF redeemed_at ON authorization_codes FOR EACH ROW
  WHEN (OLD.redeemed_at IS NOT NULL AND NEW.redeemed_at IS NULL)
  EXECUTE FUNCTION refuse_change('What has ended does not begin again.');

CREATE TRIGGER payment_orders_no_delete BEFORE DELETE ON payment_orders FOR EACH ROW
  EXECUTE FUNCTION refuse_change('No file payment and no payment is ever deleted.');
CREATE TRIGGER payments_no_delete BEFORE DELETE ON payments FOR EACH ROW
  EXECUTE FUNCTION refuse_change('No file payment and no payment is ever deleted.');

-- Completeness is checked at the end of the transaction: within it, rows may be written in any order.
CREATE FUNCTION assert_payments_of_file() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  agreed record;
  stored record;
  fault text;
BEGIN
  SELECT status, number_of_transactions AS number, control_sum AS total, approval_hash, approved_hash,
         coalesce(approvals_required, 1) AS approvals_required
    INTO agreed FROM payment_consents WHERE consent_id = NEW.consent_id;
  SELECT count(*) AS number, min(position) AS first, max(position) AS last, sum(amount) AS total,
         count(*) FILTER (WHERE handed_over_at IS NULL AND status = 'Pending') AS waiting
    INTO stored FROM payments WHERE payment_order_id = NEW.payment_order_id;
  fault := CASE
    WHEN agreed.number IS NULL OR stored.number <> agreed.number
      OR stored.first <> 0 OR stored.last <> agreed.number - 1
      THEN format('has %s payments, its file %s', stored.number, agreed.number)
    WHEN agreed.status <> 'Consumed' OR agreed.approved_hash IS DISTINCT FROM agreed.approval_hash
      THEN 'is for a file that nobody approved'
    WHEN agreed.approvals_required <> NEW.approvals_required OR TG_OP = 'INSERT' AND NEW.approvals_received <> 1
      THEN 'lacks the approvals of its account'
    WHEN stored.total IS DISTINCT FROM agreed.total THEN 'has payments with another total than its file'
    WHEN TG_OP = 'UPDATE' AND stored.waiting > 0
      THEN format('has %s payments that were not handed over', stored.waiting)
  END;
  IF fault IS NOT NULL THEN
    RAISE EXCEPTION 'The file payment %', fault
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER payment_orders_created AFTER INSERT ON payment_orders DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION assert_payments_of_file();
CREATE CONSTRAINT TRIGGER payment_orders_completed AFTER UPDATE ON payment_orders DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.status = 'InitiationCompleted' AND OLD.status <> NEW.status)
  EXECUTE FUNCTION assert_payments_of_file();

CREATE FUNCTION assert_payment_order_of_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payment_orders WHERE consent_id = NEW.consent_id) THEN
    RAISE EXCEPTION 'Only a file payment makes a consent Consumed.'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER payment_consents_consumed AFTER UPDATE ON payment_consents
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'Consumed' AND OLD.status <> NEW.status)
  EXECUTE FUNCTION assert_payment_order_of_consent();

-- The audit trail is only added to. Sealing an event numbers it, and after a year a sealed event may be deleted.
CREATE FUNCTION refuse_audit_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_events is append-only' USING ERRCODE = 'restrict_violation';
END $$;
CREATE FUNCTION guard_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.seal_number IS NOT NULL AND OLD.occurred_at < now() - interval '1 year' THEN RETURN OLD; END IF;
  ELSIF OLD.seal_number IS NULL AND NEW.seal_number IS NOT NULL AND NEW.seal_position IS NOT NULL
    AND NEW.event_hash IS NOT NULL
    AND (NEW.event_id, NEW.occurred_at, NEW.actor, NEW.action, NEW.client_id, NEW.details, NEW.interaction_id)
      IS NOT DISTINCT FROM
      (OLD.event_id, OLD.occurred_at, OLD.actor, OLD.action, OLD.client_id, OLD.details, OLD.interaction_id)
  THEN RETURN NEW;
  END IF;
  RAISE EXCEPTION 'audit_events is append-only' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER audit_events_guard BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION guard_audit_event();
-- A role that cannot approve cannot record an approval either.
CREATE TRIGGER audit_events_approver BEFORE INSERT ON audit_events FOR EACH ROW
  WHEN (NEW.action IN ('consent.authorised', 'access.approved', 'payment.approved')
    AND NOT has_column_privilege('payment_consents', 'challenge_id', 'UPDATE'))
  EXECUTE FUNCTION refuse_change('Only a role that approves records an approval.');
CREATE TRIGGER audit_events_append_only BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_event_change();
-- Two triggers, because a distributed database refuses one for both rows and TRUNCATE.
CREATE TRIGGER audit_seals_guard BEFORE UPDATE OR DELETE ON audit_seals
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_event_change();
CREATE TRIGGER audit_seals_append_only BEFORE TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_event_change();
