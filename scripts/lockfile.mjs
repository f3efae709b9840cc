/**
 * `npm run lockfile`: run this after a dependency change. It adds the packages that npm left out of package-lock.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeLockfile, listMissingOptional } from './lib/lockfile.mjs';
import { root, runMain } from './lib/project.mjs';

await runMain(() => {
  const file = join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const count = listMissingOptional(lock).length;
  if (count > 0) writeFileSync(file, `${JSON.stringify(completeLockfile(lock), null, 2)}\n`);
  console.log(count > 0 ? `${count} builds for other platforms added to the lockfile.` : 'Lockfile is complete.');
});
