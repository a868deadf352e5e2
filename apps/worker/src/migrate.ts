import { loadDatabaseUrl } from '#libs/config';
import { runMigrations } from '#libs/typeorm';

try {
  const applied = await runMigrations(loadDatabaseUrl(process.env));
  process.stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
