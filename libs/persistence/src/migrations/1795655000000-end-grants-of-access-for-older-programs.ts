import type { MigrationInterface, QueryRunner } from 'typeorm';

const ends = `OLD.status = 'Authorised' AND NEW.status <> 'Authorised'`;

/**
 * Statements that end access end its refresh grants themselves. The trigger does it for an older program's changes. It
 * cannot tell those by the revision, which the release before counts as well. So it does nothing where no grant is
 * left, and skips what housekeeping ends: those grants have ended before.
 */
export class EndGrantsOfAccessForOlderPrograms1795655000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await this.#create(queryRunner, `${ends} AND coalesce(NEW.status_reason, '') NOT IN ('Expired', 'ClientGone')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await this.#create(queryRunner, ends);
  }

  async #create(queryRunner: QueryRunner, condition: string): Promise<void> {
    await queryRunner.query(`DROP TRIGGER access_consents_grants ON access_consents`);
    await queryRunner.query(`
      CREATE TRIGGER access_consents_grants AFTER UPDATE OF status ON access_consents FOR EACH ROW
        WHEN (${condition}) EXECUTE FUNCTION end_grants_of_access()`);
  }
}
