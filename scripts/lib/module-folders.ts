import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

/** The domains from the lowest to the highest. A module may depend on modules of its own domain and of lower ones. */
export const DOMAINS = [
  'ledger',
  'identity',
  'commerce',
  'content',
  'compliance',
  'finance',
  'messaging',
  'trust',
  'notifications',
  'admin',
] as const;

export type ModulesFolder = 'server/modules' | 'web/modules';

/** The folders of all modules, as `domain/module`. */
export function listModuleFolders(modules: ModulesFolder): string[] {
  const listFolders = (path: string) =>
    readdirSync(join(root, modules, path), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return listFolders('').flatMap((domain) => listFolders(domain.name).map((module) => `${domain.name}/${module.name}`));
}

/** The module of a file, or the part of the server that is no module, such as `platform`. */
export function toModuleName(path: string): string {
  const [, , moduleName, part] = /^server\/(modules\/[^/]+\/([^/]+)\/|([^/.]+))/.exec(path) ?? [];
  return moduleName ?? part ?? 'server';
}

/** Finds the folder of a server module by its name, as `server/modules/domain/module/`. */
export function findModuleFolder(name: string): string | undefined {
  const folder = listModuleFolders('server/modules').find((path) => path.endsWith(`/${name}`));
  return folder && `server/modules/${folder}/`;
}
