/**
 * Rules about the content of source files rather than their imports: who may read the environment and the clock, who
 * decides that content is free, and how long a file may be. boundaries.ts checks table access.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

const maximumLines = 400;
const skipped = new Set(['node_modules', 'build', '.react-router', '.cache', 'public']);
export const isTest = (path) => /\.test\.tsx?$|\/testing\.ts$|^server\/testing\//.test(path);
const isGenerated = (path) => path === 'server/platform/database/tables.ts';

export function listFilesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFilesBelow(path);
    return /\.(ts|tsx)$/.test(entry.name) ? [path] : [];
  });
}

/** Blanks out comments and keeps line numbers, so that a comment may mention forbidden code. */
export function stripComments(text) {
  const blank = (comment) => comment.replace(/[^\n]/g, ' ');
  return text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(^|[\s;{}(),])\/\/[^\n]*/g, blank);
}

const rules = [
  {
    message: 'reads the environment, which only server/platform/config.ts may',
    pattern: /\bprocess\.env\b/g,
    covers: (path) => !isTest(path) && path !== 'server/platform/config.ts' && !/^web\/[^/]+\.config\.ts$/.test(path),
  },
  {
    message: 'reads the time, which only server/platform/clock.ts may',
    pattern: /\bDate\.now\(|\bnew Date\(\s*\)|\bnew Date(?![\w(])|(?<![\w.])Date\(\)/g,
    covers: (path) => path.startsWith('server/') && !isTest(path) && path !== 'server/platform/clock.ts',
  },
  {
    message: 'decides by a price what is open, which server/modules/content/entitlements/ does',
    pattern: /\b(?:price_cents\s*=|price(?:_cents|Cents)\s*(?:[=!]==?|<>|[<>]=?))\s*0\b/g,
    covers: (path) => /^server\/modules\/(?!content\/entitlements\/)/.test(path) && !/\.test\.ts$/.test(path),
  },
];

export function listBreaches(path, text) {
  const found = [];
  const code = stripComments(text);
  for (const { message, pattern, covers } of rules) {
    if (!covers(path)) continue;
    for (const match of code.matchAll(pattern)) {
      found.push(`${path}:${code.slice(0, match.index).split('\n').length} ${message}`);
    }
  }
  const lines = text.split('\n').length - 1;
  if (lines > maximumLines && !isGenerated(path))
    found.push(`${path} has ${lines} lines; the limit is ${maximumLines}`);
  return found;
}

export function checkSources() {
  return ['contract', 'server', 'web']
    .flatMap(listFilesBelow)
    .sort()
    .flatMap((path) => listBreaches(path, readFileSync(join(root, path), 'utf8')));
}
