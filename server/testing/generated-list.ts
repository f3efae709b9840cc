/** Generated lists are committed, so that changes are reviewed. `npm test -- --update` writes them. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

export function committedLines(file: URL): string[] {
  const path = fileURLToPath(file);
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
}

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
