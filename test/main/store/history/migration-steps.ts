import type { MigrationStep } from '#main/store/history/schema.ts';

/** Three versions of a small database, each of which leaves a note. */
export const STEPS: readonly [MigrationStep, MigrationStep, MigrationStep] = [
  (database) => database.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('one')"),
  (database) => database.exec("INSERT INTO notes VALUES ('two')"),
  (database) => database.exec("INSERT INTO notes VALUES ('three')"),
];
