import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimDataFolder, createDataFolder, prepareDatabaseFolder } from './data-folder.ts';

let folder: string;
const others: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stagedoor-folder-'));
});
afterEach(() => {
  for (const other of others.splice(0)) other.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function claimInOtherProcess(dataDir: string, note: string): Promise<ChildProcess> {
  const script = `
    const { claimDataFolder } = await import(${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)});
    claimDataFolder(${JSON.stringify(dataDir)}).note(${JSON.stringify(note)});
    process.stdout.write('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  others.push(child);
  await once(child.stdout, 'data');
  return child;
}

const readMode = (...names: string[]) => (statSync(join(folder, ...names)).mode & 0o777).toString(8);

test('a folder in use is refused with the id and address of its process, and is free once that ended', async () => {
  const other = await claimInOtherProcess(folder, 'http://localhost:4000');
  expect(() => claimDataFolder(folder)).toThrow(
    `${folder} is in use by process ${other.pid}, which is running at http://localhost:4000. Stop it first`,
  );
  const ended = once(other, 'exit');
  other.kill('SIGKILL');
  await ended;
  const claim = claimDataFolder(folder);
  expect(() => claimDataFolder(folder)).toThrow(`in use by process ${process.pid}, which is starting.`);
  claim.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a copy of a folder in use is free', async () => {
  const original = join(folder, 'original');
  mkdirSync(original);
  await claimInOtherProcess(original, 'http://localhost:4000');
  execFileSync('cp', ['-a', original, join(folder, 'copy')]);
  claimDataFolder(join(folder, 'copy')).release();
  expect(() => claimDataFolder(original)).toThrow('in use');
});

test.runIf(process.getuid?.() === 0)('a data folder of root can be traversed, but nothing in it can be read', () => {
  mkdirSync(join(folder, 'old', 'media'), { recursive: true });
  writeFileSync(join(folder, 'old', 'file'), '');
  for (const path of ['old', 'old/media']) execFileSync('chmod', [path === 'old' ? '700' : '755', join(folder, path)]);
  expect(prepareDatabaseFolder(join(folder, 'old'))).toBe(join(folder, 'old', 'postgres'));
  expect([readMode('old'), readMode('old', 'media')]).toEqual(['711', '700']);

  createDataFolder(join(folder, 'way', 'to', 'new'));
  expect([readMode('way'), readMode('way', 'to'), readMode('way', 'to', 'new')]).toEqual(['711', '711', '700']);
  prepareDatabaseFolder(join(folder, 'way', 'to', 'new'));
  expect(readMode('way', 'to', 'new')).toBe('711');
});
