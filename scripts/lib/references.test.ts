/** References in code and documents must exist: rows of docs/product.md, rules of docs/money.md, and linked files. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

const SOURCES = ['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.sql', '*.md', '*.css'];
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...SOURCES], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && !path.endsWith('references.test.ts') && existsSync(join(root, path)));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const product = read('docs/product.md');
const rows = new Set([...product.matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, row]) => row));
const rules = new Set([...read('docs/money.md').matchAll(/^(\d+)\. \*\*/gm)].map(([, rule]) => Number(rule)));

/**
 * Every row that a text names: "row C7", "rows C2 to C4", "rows A8, A10 and A11". A range yields its first and last
 * row.
 */
function listRows(text: string): string[] {
  return [...text.matchAll(/\brows? ((?:[A-Z]\d+(?:, | and | to |–|-)?)+)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/[A-Z]\d+/g)].map(([row]) => row),
  );
}

describe('references', () => {
  it('are found in a sample text', () => {
    expect(listRows('as row C7 and rows A8, A10 and A11 (rows C2 to C4) say')).toEqual([
      'C7',
      'A8',
      'A10',
      'A11',
      'C2',
      'C4',
    ]);
    expect(rows.size).toBeGreaterThan(80);
    expect(rules.size).toBeGreaterThan(9);
  });

  it('to rows exist in docs/product.md', () => {
    const wrong = files.flatMap((path) =>
      listRows(read(path))
        .filter((row) => !rows.has(row))
        .map((row) => `${path}: row ${row}`),
    );
    expect(wrong).toEqual([]);
  });

  it('to money rules exist in docs/money.md', () => {
    const wrong = files.flatMap((path) =>
      [...read(path).matchAll(/\((?:[^()]*; )?money (\d+)(?:(?: to | and |, )(\d+))?\)/g)]
        .flatMap(([, first, last]) => [first, last])
        .filter((rule) => rule !== undefined && !rules.has(Number(rule)))
        .map((rule) => `${path}: money ${rule}`),
    );
    expect(wrong).toEqual([]);
  });

  it('between documents lead to existing files', () => {
    const wrong = files
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
          .map(([, target = '']) => join(dirname(path), target))
          .filter((target) => !existsSync(join(root, target)))
          .map((target) => `${path}: ${target}`),
      );
    expect(wrong).toEqual([]);
  });
});
