/**
 * `npm run lockfile`: run this after a dependency change. It adds the packages that npm left out of package-lock.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { complete, missingOptional } from './lib/lockfile.mjs';
import { command, root } from './lib/project.mjs';

await command(() => {
  const file = join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const count = missingOptional(lock).length;
  if (count > 0) writeFileSync(file, `${JSON.stringify(complete(lock), null, 2)}\n`);
  console.log(count > 0 ? `${count} builds for other platforms added to the lockfile.` : 'Lockfile is complete.');
});
