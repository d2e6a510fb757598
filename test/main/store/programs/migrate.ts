import { openForWriting } from '#main/store/history/database.ts';
import { STEPS } from '../history/migration-steps.ts';

// Migrates the history of a folder, and is killed in the middle of the third step.
const [first, second] = STEPS;
openForWriting(process.argv[2] ?? '', [
  first,
  second,
  (database) => {
    database.exec("INSERT INTO notes VALUES ('half of the third step')");
    process.kill(process.pid, 'SIGKILL');
  },
]);
