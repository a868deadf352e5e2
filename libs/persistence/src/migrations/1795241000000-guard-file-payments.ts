import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table, the state that leads nowhere and which steps there are. Written down as they are today: a later migration
 * changes them.
 */
const transitions = {
  file_payment_consents: [
    ['AwaitingUpload', 'AwaitingAuthorisation'],
    ['AwaitingUpload', 'Rejected'],
    ['AwaitingAuthorisation', 'Authorised'],
    ['AwaitingAuthorisation', 'Rejected'],
    ['Authorised', 'Consumed'],
    ['Authorised', 'Rejected'],
  ],
  file_payments: [
    ['InitiationPending', 'InitiationCompleted'],
    ['InitiationPending', 'InitiationFailed'],
  ],
  payments: [
    ['Pending', 'AcceptedSettlementInProcess'],
    ['Pending', 'AcceptedSettlementCompleted'],
    ['Pending', 'AcceptedWithoutPosting'],
    ['Pending', 'AcceptedCreditSettlementCompleted'],
    ['Pending', 'Rejected'],
    ['AcceptedSettlementInProcess', 'AcceptedSettlementCompleted'],
    ['AcceptedSettlementInProcess', 'AcceptedWithoutPosting'],
    ['AcceptedSettlementInProcess', 'AcceptedCreditSettlementCompleted'],
    ['AcceptedSettlementInProcess', 'Rejected'],
  ],
} as const;

/** Table, and the columns of which the value never changes once there is one. */
const lastingColumns = {
  file_payment_consents: ['client_id', 'approval_hash', 'approved_hash'],
  file_payments: ['consent_id', 'client_id', 'approvals_required'],
  payments: ['file_payment_id', 'position', 'amount'],
  instruction_lists: ['amounts'],
} as const;

/** What was agreed does not change any more once the file is there. */
const agreedColumns = ['number_of_transactions', 'control_sum', 'local_instrument'];

/**
 * What must hold of file payments whatever program works on them, the version before included: a file payment has as
 * many payments as its file, of the file's sum, and its customer approved that file; InitiationCompleted leaves none
 * behind; a final state stays; what was agreed stays. Whoever breaks it gets an error, and nothing of the transaction
 * remains.
 */
export class GuardFilePayments1795241000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(refuse);
    for (const [table, steps] of Object.entries(transitions)) {
      const list = steps.map(([from, to]) => `('${from}', '${to}')`).join(', ');
      await queryRunner.query(`
        CREATE TRIGGER ${table}_transitions BEFORE UPDATE OF status ON ${table} FOR EACH ROW
          WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (${list}))
          EXECUTE FUNCTION refuse_change('A state changes by the steps of its table only.')`);
    }
    for (const [table, columns] of Object.entries(lastingColumns)) await keep(queryRunner, table, 'lasting', columns);
    await keep(queryRunner, 'file_payment_consents', 'agreed', agreedColumns, `OLD.status <> 'AwaitingUpload'`);
    await keep(queryRunner, 'instruction_lists', 'text', ['instructions'], `NEW.instructions <> ''`);
    for (const table of ['file_payments', 'payments']) {
      await queryRunner.query(`
        CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table} FOR EACH ROW
          EXECUTE FUNCTION refuse_change('No file payment and no payment is ever deleted.')`);
    }
    await this.#guardCompleteness(queryRunner);
    await this.#fillForFormerVersion(queryRunner);
  }

  /** At the end of the transaction: rows may be written in any order within it. */
  async #guardCompleteness(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(assertPayments);
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER file_payments_created AFTER INSERT ON file_payments DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION assert_payments_of_file()`);
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER file_payments_completed AFTER UPDATE ON file_payments DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.status = 'InitiationCompleted' AND OLD.status <> NEW.status)
        EXECUTE FUNCTION assert_payments_of_file()`);
    await queryRunner.query(assertConsumption);
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER file_payment_consents_consumed AFTER UPDATE ON file_payment_consents DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.status = 'Consumed' AND OLD.status <> NEW.status)
        EXECUTE FUNCTION assert_file_payment_of_consent()`);
  }

  /** The version before knows neither the approved hash nor amounts of payments: they follow from what is stored. */
  async #fillForFormerVersion(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION fill_approved_hash() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.approved_hash := NEW.approval_hash;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER file_payment_consents_approved_hash BEFORE UPDATE OF status ON file_payment_consents FOR EACH ROW
        WHEN (NEW.status = 'Authorised' AND OLD.status <> NEW.status AND NEW.approved_hash IS NULL
          AND NEW.approval_hash IS NOT NULL)
        EXECUTE FUNCTION fill_approved_hash()`);
    await queryRunner.query(`
      CREATE FUNCTION fill_payment_amount() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT list.amounts[NEW.position + 1] INTO NEW.amount
          FROM file_payments AS payment JOIN instruction_lists AS list USING (consent_id)
         WHERE payment.file_payment_id = NEW.file_payment_id;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER payments_amount BEFORE INSERT ON payments FOR EACH ROW WHEN (NEW.amount IS NULL)
        EXECUTE FUNCTION fill_payment_amount()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const triggers = [
      ...Object.keys(transitions).map((table) => [table, 'transitions']),
      ...Object.keys(lastingColumns).map((table) => [table, 'lasting']),
      ['file_payment_consents', 'agreed'],
      ['instruction_lists', 'text'],
      ['file_payments', 'no_delete'],
      ['payments', 'no_delete'],
      ['file_payments', 'created'],
      ['file_payments', 'completed'],
      ['file_payment_consents', 'consumed'],
      ['file_payment_consents', 'approved_hash'],
      ['payments', 'amount'],
    ];
    for (const [table, name] of triggers) await queryRunner.query(`DROP TRIGGER ${table}_${name} ON ${table}`);
    for (const name of [
      'assert_payments_of_file',
      'assert_file_payment_of_consent',
      'fill_approved_hash',
      'fill_payment_amount',
      'refuse_change',
    ]) {
      await queryRunner.query(`DROP FUNCTION ${name}()`);
    }
  }
}

/** A trigger that refuses another value of a column that has one, while the condition holds. */
async function keep(
  queryRunner: QueryRunner,
  table: string,
  name: string,
  columns: readonly string[],
  condition = 'true',
): Promise<void> {
  const changes = columns.map(
    (column) => `(OLD.${column} IS NOT NULL AND OLD.${column} IS DISTINCT FROM NEW.${column})`,
  );
  await queryRunner.query(`
    CREATE TRIGGER ${table}_${name} BEFORE UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW
      WHEN (${condition} AND (${changes.join(' OR ')}))
      EXECUTE FUNCTION refuse_change('${columns.join(', ')} of ${table} stay as they are.')`);
}

// PostgreSQL's own code for a row that breaks a constraint: programs know it.
const refuse = `
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END $$`;

const assertPayments = `
  CREATE FUNCTION assert_payments_of_file() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    agreed record;
    stored record;
    fault text;
  BEGIN
    SELECT number_of_transactions AS number, control_sum AS total, approval_hash, approved_hash INTO agreed
      FROM file_payment_consents WHERE consent_id = NEW.consent_id;
    SELECT count(*) AS number, min(position) AS first, max(position) AS last, count(amount) AS priced, sum(amount) AS total,
           count(*) FILTER (WHERE handed_over_at IS NULL AND status = 'Pending') AS waiting
      INTO stored FROM payments WHERE file_payment_id = NEW.file_payment_id;
    fault := CASE
      WHEN agreed.number IS NULL OR stored.number <> agreed.number OR stored.first <> 0 OR stored.last <> agreed.number - 1
        THEN format('has %s payments, its file %s', stored.number, agreed.number)
      WHEN agreed.approved_hash IS DISTINCT FROM agreed.approval_hash THEN 'is of a file that nobody approved'
      WHEN (agreed.approval_hash IS NOT NULL OR stored.priced > 0)
        AND (stored.priced <> stored.number OR stored.total <> agreed.total)
        THEN 'has payments of another sum than its file'
      WHEN TG_OP = 'UPDATE' AND stored.waiting > 0 THEN format('has %s payments that were not handed over', stored.waiting)
    END;
    IF fault IS NOT NULL THEN
      RAISE EXCEPTION 'The file payment %', fault
        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NULL;
  END $$`;

const assertConsumption = `
  CREATE FUNCTION assert_file_payment_of_consent() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM file_payments WHERE consent_id = NEW.consent_id) THEN
      RAISE EXCEPTION 'A consent is Consumed by a file payment only.'
        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NULL;
  END $$`;
