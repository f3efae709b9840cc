/** Generates the lists of server and web modules from the folders, so that a new module needs no registration. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const COMMAND = 'node scripts/module-lists.mjs';

type List = {
  readonly path: string;
  readonly features: string;
  /** The files that make a feature folder a module of this list. */
  readonly entries: readonly string[];
  readonly importFrom: string;
  readonly typeFrom: string;
};

const LISTS: readonly List[] = [
  {
    path: 'server/features/modules.ts',
    features: 'server/features',
    entries: ['index.ts'],
    importFrom: './',
    typeFrom: '../kernel/room.ts',
  },
  {
    path: 'web/app/modules.ts',
    features: 'web/features',
    entries: ['room.ts', 'room.tsx'],
    importFrom: '../features/',
    typeFrom: '../kernel/room.ts',
  },
];

const toCamelCase = (folder: string) => folder.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export function listText({ importFrom, typeFrom }: List, modules: readonly (readonly [string, string])[]): string {
  const imports = modules.map(
    ([folder, file]) => `import { room as ${toCamelCase(folder)} } from '${importFrom}${folder}/${file}';`,
  );
  const typeImport = `import type { Room } from '${typeFrom}';`;
  return [
    `/** Every module, generated from the folders by \`${COMMAND}\`; do not edit. */`,
    ...(typeFrom < importFrom ? [typeImport, ...imports] : [...imports, typeImport]),
    '',
    'export const MODULES: readonly Room[] = [',
    ...modules.map(([folder]) => `  ${toCamelCase(folder)},`),
    '];',
    '',
  ].join('\n');
}

function modulesOf({ features, entries }: List): (readonly [string, string])[] {
  return readdirSync(join(root, features), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      entries.filter((file) => existsSync(join(root, features, name, file))).map((file) => [name, file] as const),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function currentText({ path }: List): string {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
}

export function writeModuleLists(): void {
  for (const list of LISTS) writeFileSync(join(root, list.path), listText(list, modulesOf(list)));
}

/** Reports each list that does not match the folders: its missing and extra modules, and how to write it. */
export function checkModuleLists(): string[] {
  return LISTS.flatMap((list) => {
    const [is, should] = [currentText(list), listText(list, modulesOf(list))];
    if (is === should) return [];
    const lines = should.split('\n').filter((line) => !is.includes(line));
    const surplus = is.split('\n').filter((line) => !should.includes(line));
    const changes = [...lines.map((line) => `add ${line.trim()}`), ...surplus.map((line) => `remove ${line.trim()}`)];
    return [
      `${list.path} does not match the folders of ${list.features}: ${changes.join(' ')} (npm test -- --update, or ${COMMAND}, writes it)`,
    ];
  });
}
