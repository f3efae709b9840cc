/** Adds a module to a copy of the project. The existing files that need an edit grow with every module. */
import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from './database.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const NOT_COPIED = new Set(
  'node_modules .git .node .data .cache build .react-router test-results playwright-report coverage'.split(' '),
);

let copy: string;
/** Of the copy alone, because each copy has another path. */
const compiled = () => join(copy, '.cache/compile');
const changed = new Set<string>();

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'stagedoor-module-'));
  cpSync(root, copy, { recursive: true, filter: (from) => !NOT_COPIED.has(from.split('/').at(-1) ?? '') });
  const modules = join(root, 'node_modules');
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(modules).filter((entry) => entry !== '@stagedoor'))
    symlinkSync(join(modules, name), join(copy, 'node_modules', name));
  cpSync(join(modules, '@stagedoor'), join(copy, 'node_modules', '@stagedoor'), {
    recursive: true,
    verbatimSymlinks: true,
  });
});
afterAll(() => rmSync(copy, { recursive: true }));

function create(path: string, text: string): void {
  const target = join(copy, path);
  if (existsSync(target)) throw new Error(`${path} is there already`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function insert(path: string, before: string, line: string): void {
  const text = readFileSync(join(copy, path), 'utf8');
  const at = text.indexOf(`\n${before}`);
  if (at < 0) throw new Error(`${path} has no line that begins with ${before}`);
  writeFileSync(join(copy, path), `${text.slice(0, at)}\n${line}${text.slice(at)}`);
  changed.add(path);
}

const changes = () => {
  const list = [...changed];
  changed.clear();
  return list;
};

async function inCopy(...args: string[]): Promise<{ isWell: boolean; output: string }> {
  try {
    const env = { ...process.env, NODE_COMPILE_CACHE: compiled() };
    const { stdout } = await run(process.execPath, args, { cwd: copy, env });
    return { isWell: true, output: stdout };
  } catch (error) {
    return {
      isWell: false,
      output: error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error),
    };
  }
}

/** Follows no imports of other modules, which the step `boundaries` checks. */
const cruise = (...paths: string[]) =>
  inCopy(
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    ...['--config', '.dependency-cruiser.cjs', '--do-not-follow', '^(?!.*lanterns)'],
    ...paths,
  );
const checkLists = () =>
  inCopy(
    '--input-type=module',
    '--eval',
    `import { checkModuleLists } from './scripts/lib/module-lists.ts';
     console.log(checkModuleLists().join('\\n'));`,
  );
const checkBoundaries = () =>
  inCopy(
    '--input-type=module',
    '--eval',
    `import { readCodebase } from './scripts/lib/modules.ts';
     import { checkModuleLists } from './scripts/lib/module-lists.ts';
     import { checkSources } from './scripts/lib/source-rules.mjs';
     import { checkModules } from './scripts/lib/boundaries.ts';
     console.log([...checkModuleLists(), ...checkSources(), ...checkModules(readCodebase())].join('\\n'));`,
  );

/** The npm command would first check the runtime and packages, which the copy shares. */
const generate = () =>
  inCopy(
    '--input-type=module',
    '--eval',
    "import { writeModuleLists } from './scripts/lib/module-lists.ts'; writeModuleLists();",
  );

/** Prints what is wrong with the samples of the routes, and serves the app of the copy. */
const SERVE = `import { ROUTES } from './server/modules/index.ts';
  import { findSampleError } from './server/testing/samples.ts';
  console.log(JSON.stringify(ROUTES.flatMap(({ name, route }) => findSampleError(name, route) ?? [])));
  await import('./server/testing/serve.ts');`;

async function withServer(check: (url: string, sampleFaults: string) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  const data = mkdtempSync(join(tmpdir(), 'stagedoor-module-data-'));
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SERVE], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      PORT: '0',
      DATA_DIR: data,
      DATABASE_URL: database.url,
      NODE_COMPILE_CACHE: compiled(),
    },
  });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  try {
    const lines: string[] = [];
    const isServing = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => lines.push(line) === 2 && resolve());
    });
    await Promise.race([isServing, ended.then(() => Promise.reject(new Error('the app ended before it served')))]);
    const [faults = '', port] = lines;
    await check(`http://127.0.0.1:${port}`, faults);
  } finally {
    child.kill('SIGTERM');
    await ended;
    await database.drop();
    rmSync(data, { recursive: true, force: true });
  }
}

test('a server module needs no edit of an existing file and may only do what its manifest declares', {
  timeout: 300_000,
}, async () => {
  create(
    'contract/content/lanterns.ts',
    `/** Lanterns: what a user puts aside. */
import * as z from 'zod/mini';
import { route } from '../shared/route.ts';

export const countLanterns = route({
  method: 'GET',
  path: '/lanterns/count',
  summary: 'How many there are',
  auth: 'public',
  rate: 'read',
  response: z.object({ count: z.number() }),
});

export const addLantern = route({
  method: 'POST',
  path: '/lanterns',
  summary: 'Puts something aside',
  auth: 'public',
  rate: 'write',
  body: z.object({ title: z.string().check(z.minLength(1)), isPinned: z.optional(z.boolean()) }),
  response: countLanterns.response,
});
`,
  );
  create(
    'server/modules/content/lanterns/manifest.ts',
    `/** Lanterns: what a user puts aside. */
import * as lanterns from '@stagedoor/contract/content/lanterns.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({ name: 'lanterns', contract: [lanterns] });
`,
  );
  create(
    'server/modules/content/lanterns/index.ts',
    `/** Lanterns: what a user puts aside. */
import { addLantern, countLanterns } from '@stagedoor/contract/content/lanterns.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { manifest } from './manifest.ts';

export const featureModule = {
  ...manifest,
  register: ({ bind }: ModuleHost) => {
    bind(countLanterns, () => ({ count: 7 }));
    bind(addLantern, () => ({ count: 8 }));
  },
};
`,
  );
  expect((await checkLists()).output).toContain(
    "server/modules/modules.ts does not match the folders of server/modules: add import { featureModule as lanterns } from './content/lanterns/index.ts'; add lanterns, (npm test -- --update,",
  );
  expect(await generate()).toMatchObject({ isWell: true });
  expect(changes()).toEqual([]);

  await withServer(async (url, sampleFaults) => {
    expect(sampleFaults).toBe('[]');
    const fetchJson = async (path: string): Promise<unknown> => (await fetch(`${url}/api${path}`)).json();
    expect(await fetchJson('/lanterns/count')).toEqual({ count: 7 });
    expect(await fetchJson('/openapi.json')).toHaveProperty(['paths', '/lanterns/count', 'get', 'tags'], ['lanterns']);
  });

  create(
    'server/modules/content/lanterns/store.ts',
    `/** Reads what it may not. */
import { findUserSummaries } from '../../identity/accounts/index.ts';

export const wrong = [findUserSummaries, 'select from messages m', 'update users set name = $1'];
`,
  );
  // The complaints are about this file alone, so the rest of the module is as it should be.
  const result = await cruise(
    'contract/content/lanterns.ts',
    'server/modules/content/lanterns',
    'server/modules/modules.ts',
  );
  expect(result.isWell).toBe(false);
  expect(result.output.match(/error \S+: .*/g)).toEqual([expect.stringContaining('lanterns-depends-on')]);
  const { output } = await checkBoundaries();
  expect(output.trim().split('\n')).toEqual([
    expect.stringContaining('store.ts:4: lanterns reads messages of chat'),
    expect.stringContaining('store.ts:4: lanterns writes users of accounts'),
  ]);
});

test('a page with a navigation entry needs one line in addresses and one in routes', {
  timeout: 120_000,
}, async () => {
  create(
    'web/modules/content/lanterns/module.ts',
    `/** What a user puts aside. */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { FeatureModule } from '../../../platform/module.ts';

export const featureModule: FeatureModule = {
  nav: { customer: [{ order: 65, href: PATHS.fanLanterns, label: 'Lanterns', icon: 'images', isRailOnly: true }] },
};
`,
  );
  create(
    'web/pages/fan/lanterns.tsx',
    '/** Lanterns. */\nexport default function Lanterns() {\n  return <h1>Lanterns</h1>;\n}\n',
  );
  insert('contract/shared/addresses.ts', '  fanFollow:', "  fanLanterns: '/fan/lanterns',");
  insert('web/app/routes.ts', "      route('fan/feed'", "      route('fan/lanterns', '../pages/fan/lanterns.tsx'),");
  expect(changes().toSorted()).toEqual(['contract/shared/addresses.ts', 'web/app/routes.ts']);
  expect(await generate()).toMatchObject({ isWell: true });
  expect(await cruise('web/app', 'web/modules/content/lanterns', 'web/pages/fan/lanterns.tsx')).toMatchObject({
    isWell: true,
  });
  create('vitest.module.config.ts', "export default { test: { include: ['web/app/navigation.test.ts'] } };\n");
  const result = await inCopy('node_modules/vitest/vitest.mjs', 'run', '--config=vitest.module.config.ts');
  expect(result.output).toContain('4 passed');
  expect(result.isWell).toBe(true);
});
