import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkBrowserSupport, findScriptGaps, findStyleGaps } from './browser-support.ts';

const listScriptGaps = (code: string) => [...findScriptGaps(code).keys()];
const listStyleGaps = (css: string) => [...findStyleGaps(css).keys()];

test.each([
  ['const { promise } = Promise.withResolvers();', 'Promise.withResolvers'],
  ['const fits = URL.canParse(text);', 'URL.canParse'],
  ['const byKind = Object.groupBy(list, kindOf);', 'Object.groupBy'],
  ['const all = await Array.fromAsync(list);', 'Array.fromAsync'],
  ['const either = AbortSignal.any([one, other]);', 'AbortSignal.any'],
  ['const both = one.isSubsetOf(other);', '.isSubsetOf()'],
  ['element.showPopover();', '.showPopover()'],
  ['requestIdleCallback(work);', 'requestIdleCallback'],
  ['window.requestIdleCallback(work);', 'requestIdleCallback'],
  ['const signs = /[\\p{L}--[a-z]]/v;', '/…/v'],
])('finds the unsupported feature in the script %s', (code, gap) => expect(listScriptGaps(code)).toEqual([gap]));

test.each([
  ['const last = list.findLast(isOwn);'],
  ['const sorted = list.toSorted();'],
  ['const copy = structuredClone(value);'],
  ['element.showPopover?.();'],
  ['const box = { isSubsetOf() {} }; box.isSubsetOf();'],
  ['const text = "Promise.withResolvers()";'],
])('finds nothing in the script %s', (code) => expect(listScriptGaps(code)).toEqual([]));

test.each([
  ['.a{color:light-dark(red,blue)}', 'light-dark()'],
  ['.a{field-sizing:content}', 'field-sizing'],
  ['.a{text-wrap:balance}', 'text-wrap: balance'],
  ['.a:has(.b){color:red}', ':has'],
  ['.a{top:anchor(bottom)}', 'anchor()'],
  ['.a{color:red;&:hover{color:blue}}', '&'],
])('finds the unsupported feature in the styles %s', (css, gap) => expect(listStyleGaps(css)).toContain(gap));

test('accepts styles inside @supports and styles that all supported browsers have', () => {
  expect(
    listStyleGaps('@supports (color:light-dark(red,red)){.a{color:light-dark(red,blue)}}.b{color:oklch(0 0 0)}'),
  ).toEqual([]);
});

test('reports an unsupported call with its file, and exceptions that are no longer needed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagedoor-floor-'));
  try {
    writeFileSync(join(folder, 'planted.js'), 'export const later = Promise.withResolvers();');
    const problems = checkBrowserSupport(folder);
    expect(problems).toContain(
      'Promise.withResolvers is not in chrome, edge, firefox, safari, safari_ios of the floor: planted.js',
    );
    expect(problems).toContain('web/vite/browser-targets.ts excuses WebTransport, which nothing uses any more');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
