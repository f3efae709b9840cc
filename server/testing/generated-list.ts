/** Lists that tests generate and the repository keeps, so that a change of one is seen in review. `npm test -- --update` writes them. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The lines of a list as it is committed; none where there is no file yet. */
export function committedLines(file: URL): string[] {
  const path = fileURLToPath(file);
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
}

/** Compares a committed list with these lines. A failure names the file, the lines to add and to remove, and the command that does it. */
export async function expectCommitted(file: URL, lines: readonly string[]): Promise<void> {
  const path = fileURLToPath(file);
  const committed = committedLines(file);
  const missing = lines.filter((line) => !committed.includes(line)).map((line) => `add: ${line}`);
  const surplus = committed.filter((line) => !lines.includes(line)).map((line) => `remove: ${line}`);
  const command = `npm test -- --update writes ${basename(path)}`;
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(
    path,
    [relative(root, path), ...missing, ...surplus, command].join('\n'),
  );
}
