import type { MigrationInterface, QueryRunner } from 'typeorm';

const before = `(('AwaitingAuthorisation', 'Authorised'), ('AwaitingAuthorisation', 'Rejected'), ('Authorised', 'Revoked'), ('Authorised', 'Expired'))`;
const after = `${before.slice(0, -1)},
  ('Authorised', 'Withdrawn'), ('Withdrawn', 'Authorised'), ('Withdrawn', 'Revoked'), ('Withdrawn', 'Expired'))`;
const wereOpen = `OLD.status IN ('AwaitingAuthorisation', 'Authorised')`;

/**
 * Access that its customer ended at the bank may be authorised again. It has a state of its own, which is none of the open ones of the former
 * version: programs of it take nothing of such a consent for good.
 */
export class WithdrawAccessAtTheBank1795372436001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE access_consents ADD COLUMN withdrawn_at timestamptz`);
    await this.#guard(queryRunner, {
      steps: after,
      isAgreed: `${wereOpen} OR (OLD.status = 'Withdrawn' AND NEW.status <> 'Revoked')`,
    });
    await this.#index(queryRunner, {
      open: `'AwaitingAuthorisation', 'Authorised', 'Withdrawn'`,
      ended: `'Rejected', 'Revoked', 'Expired', 'Withdrawn'`,
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE access_consents SET status = 'Revoked' WHERE status = 'Withdrawn'`);
    await this.#guard(queryRunner, { steps: before, isAgreed: wereOpen });
    await this.#index(queryRunner, {
      open: `'AwaitingAuthorisation', 'Authorised'`,
      ended: `'Rejected', 'Revoked', 'Expired'`,
    });
    await queryRunner.query(`ALTER TABLE access_consents DROP COLUMN withdrawn_at`);
  }

  async #guard(queryRunner: QueryRunner, { steps, isAgreed }: { steps: string; isAgreed: string }): Promise<void> {
    await queryRunner.query(`DROP TRIGGER access_consents_transitions ON access_consents`);
    await queryRunner.query(`
      CREATE TRIGGER access_consents_transitions BEFORE UPDATE OF status ON access_consents FOR EACH ROW
        WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN ${steps})
        EXECUTE FUNCTION refuse_change('A state changes by the steps of its table only.')`);
    await queryRunner.query(`DROP TRIGGER access_consents_agreed ON access_consents`);
    await queryRunner.query(`
      CREATE TRIGGER access_consents_agreed BEFORE UPDATE OF terms ON access_consents FOR EACH ROW
        WHEN (OLD.terms <> NEW.terms AND (${isAgreed}))
        EXECUTE FUNCTION refuse_change('What is agreed does not change.')`);
  }

  async #index(queryRunner: QueryRunner, { open, ended }: { open: string; ended: string }): Promise<void> {
    await queryRunner.query(`DROP INDEX access_consents_expires_at_idx`);
    await queryRunner.query(
      `CREATE INDEX access_consents_expires_at_idx ON access_consents (expires_at) WHERE status IN (${open})`,
    );
    await queryRunner.query(`DROP INDEX access_consents_retention_idx`);
    await queryRunner.query(`
      CREATE INDEX access_consents_retention_idx ON access_consents (status_updated_at)
        WHERE erased_at IS NULL AND status IN (${ended})`);
  }
}
