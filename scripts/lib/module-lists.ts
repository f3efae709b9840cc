/** Generates the lists of server and web modules from the folders, so that a new module needs no registration. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listModuleFolders, type ModulesFolder } from './module-folders.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const COMMAND = 'node scripts/module-lists.mjs';

type ModuleList = {
  readonly path: string;
  readonly modules: ModulesFolder;
  /** The files that make a folder a module of this list. */
  readonly entries: readonly string[];
  readonly importFrom: string;
  readonly typeFrom: string;
};

const LISTS: readonly ModuleList[] = [
  {
    path: 'server/modules/modules.ts',
    modules: 'server/modules',
    entries: ['index.ts'],
    importFrom: './',
    typeFrom: '../platform/module.ts',
  },
  {
    path: 'web/app/modules.ts',
    modules: 'web/modules',
    entries: ['module.ts', 'module.tsx'],
    importFrom: '../modules/',
    typeFrom: '../platform/module.ts',
  },
];

const toCamelCase = (folder: string) =>
  folder.replace(/^.*\//, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export function formatList(
  { importFrom, typeFrom }: ModuleList,
  modules: readonly (readonly [string, string])[],
): string {
  const imports = modules.map(
    ([folder, file]) => `import { featureModule as ${toCamelCase(folder)} } from '${importFrom}${folder}/${file}';`,
  );
  const typeImport = `import type { FeatureModule } from '${typeFrom}';`;
  return [
    `/** Every module, generated from the folders by \`${COMMAND}\`; do not edit. */`,
    ...(typeFrom < importFrom ? [typeImport, ...imports] : [...imports, typeImport]),
    '',
    'export const MODULES: readonly FeatureModule[] = [',
    ...modules.map(([folder]) => `  ${toCamelCase(folder)},`),
    '];',
    '',
  ].join('\n');
}

function listModules({ modules, entries }: ModuleList): (readonly [string, string])[] {
  return listModuleFolders(modules)
    .flatMap((folder) =>
      entries.filter((file) => existsSync(join(root, modules, folder, file))).map((file) => [folder, file] as const),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function readCurrentList({ path }: ModuleList): string {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
}

export function writeModuleLists(): void {
  for (const list of LISTS) writeFileSync(join(root, list.path), formatList(list, listModules(list)));
}

/** Reports each list that does not match the folders: its missing and extra modules, and how to write it. */
export function checkModuleLists(): string[] {
  return LISTS.flatMap((list) => {
    const [current, expected] = [readCurrentList(list), formatList(list, listModules(list))];
    if (current === expected) return [];
    const lines = expected.split('\n').filter((line) => !current.includes(line));
    const extra = current.split('\n').filter((line) => !expected.includes(line));
    const changes = [...lines.map((line) => `add ${line.trim()}`), ...extra.map((line) => `remove ${line.trim()}`)];
    return [
      `${list.path} does not match the folders of ${list.modules}: ${changes.join(' ')} (npm test -- --update, or ${COMMAND}, writes it)`,
    ];
  });
}
