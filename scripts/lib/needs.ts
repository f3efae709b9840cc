/**
 * Finds what test files need before they can run: programs that npm cannot install, and PostgreSQL. It reads their code
 * and the test code that they import.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './project.mjs';
import { isTest, stripComments } from './source-rules.mjs';
import { type Program, programs } from './system.mjs';

const IMPORTS = /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;
const TEST_FILE = /\.(test\.tsx?|spec\.ts)$/;

/** Imports of product code are not followed, because a server test imports all of it and uses little. */
const isTestCode = (path: string) => isTest(path) || /[./-]testing\.ts$|^(e2e|scripts|bench)\//.test(path);

export const isJourney = (path: string) => path === 'e2e' || path.startsWith('e2e/') || path.endsWith('.spec.ts');

export const stripLineNumber = (path: string) => path.replace(/:\d+(:\d+)?$/, '');

export function listTestFiles(path: string): string[] {
  const absolute = join(root, path);
  if (!existsSync(absolute)) return [];
  if (!statSync(absolute).isDirectory()) return [path];
  return readdirSync(absolute, { recursive: true, encoding: 'utf8' })
    .filter((name) => TEST_FILE.test(name) && !/(^|\/)(node_modules|build)\//.test(name))
    .map((name) => normalize(join(path, name)))
    .sort();
}

function readTestCode(path: string, codeByPath = new Map<string, string>()): Map<string, string> {
  if (codeByPath.has(path) || !existsSync(join(root, path))) return codeByPath;
  const text = stripComments(readFileSync(join(root, path), 'utf8'));
  codeByPath.set(path, text);
  for (const [, target = ''] of text.matchAll(IMPORTS)) {
    const imported = normalize(join(dirname(path), target));
    // The file that finds programs contains the names of all of them.
    if (isTestCode(imported) && imported !== 'scripts/lib/system.mjs') readTestCode(imported, codeByPath);
  }
  return codeByPath;
}

export function needsDatabase(paths: readonly string[]): boolean {
  return paths.flatMap(listTestFiles).some((file) => readTestCode(file).has('server/testing/database.ts'));
}

export function listPrograms(paths: readonly string[]): Program[] {
  const files = paths.map(stripLineNumber).flatMap(listTestFiles);
  const needed = new Set<Program>();
  for (const file of files) {
    const texts = [...readTestCode(file).values()];
    for (const program of programs)
      if (program.paths?.test(file) || (program.text && texts.some((text) => program.text?.test(text))))
        needed.add(program);
  }
  return programs.filter((program) => needed.has(program));
}
