import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tokens rest on the consent to access whatever program ends it or renews them: with the consent end its refresh grants, and a token that is
 * renewed has its consent. Programs of the former version look at neither.
 */
export class RestTokensOnAccess1795372436000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION end_grants_of_access() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE refresh_grants SET revoked_at = NEW.status_updated_at WHERE consent_id = NEW.consent_id AND revoked_at IS NULL;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER access_consents_grants AFTER UPDATE OF status ON access_consents FOR EACH ROW
        WHEN (OLD.status = 'Authorised' AND NEW.status <> 'Authorised') EXECUTE FUNCTION end_grants_of_access()`);
    await queryRunner.query(`
      CREATE FUNCTION rest_token_on_access() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT consent_id INTO NEW.consent_id FROM refresh_grants WHERE code_hash = NEW.code_hash;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER access_tokens_access BEFORE INSERT ON access_tokens FOR EACH ROW
        WHEN (NEW.consent_id IS NULL AND NEW.code_hash IS NOT NULL) EXECUTE FUNCTION rest_token_on_access()`);
    // What ended before.
    await queryRunner.query(`
      UPDATE refresh_grants SET revoked_at = access.status_updated_at FROM access_consents AS access
      WHERE access.consent_id = refresh_grants.consent_id AND access.status <> 'Authorised' AND refresh_grants.revoked_at IS NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER access_tokens_access ON access_tokens`);
    await queryRunner.query(`DROP FUNCTION rest_token_on_access()`);
    await queryRunner.query(`DROP TRIGGER access_consents_grants ON access_consents`);
    await queryRunner.query(`DROP FUNCTION end_grants_of_access()`);
  }
}
