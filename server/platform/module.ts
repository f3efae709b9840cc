/** The manifest of a module. Start order, permitted imports, API document and required tests derive from it. */
import type { EventSpec } from '@stagedoor/contract/shared/event.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { EventType } from './events/event-types.ts';
import type { ModuleHost } from './http/routing.ts';
import type { PersonalData } from './personal-data.ts';

/** A permitted boundary violation. It is removed when its reason ends. */
export type BoundaryException = {
  readonly module: string;
  readonly allows: 'read' | 'write' | 'call';
  readonly reason: string;
};

export type SharedAccess = {
  /** Modules that read the table in their own statements. They must depend on this one. */
  readonly readers?: readonly string[];
  readonly exceptions?: readonly BoundaryException[];
};

export const TABLE_PRIVILEGES = {
  none: [],
  read: ['select'],
  append: ['select', 'insert'],
  replace: ['select', 'insert', 'delete'],
  edit: ['select', 'insert', 'update'],
  all: ['select', 'insert', 'update', 'delete'],
} as const;

export type TableGrants = {
  readonly grants: keyof typeof TABLE_PRIVILEGES;
  /** Columns that may be updated in addition. In financial tables only those that change. */
  readonly updates?: readonly string[];
};

export type OwnedTable = SharedAccess & TableGrants & { readonly personalData: PersonalData };

export type OwnedSchema<T extends SharedAccess & TableGrants = OwnedTable> = {
  readonly tables: Readonly<Record<string, T>>;
  readonly functions: Readonly<Record<string, SharedAccess>>;
};

export type ModuleManifest = OwnedSchema & {
  readonly name: string;
  readonly dependsOn: readonly string[];
  readonly contract: readonly object[];
  readonly emits: readonly string[];
  readonly handles: readonly string[];
  readonly jobs: readonly string[];
  /** Hooks that this module defines, and those of its dependencies and of the platform that it registers. */
  readonly provides: readonly string[];
  readonly implements: readonly string[];
};

export type PlatformManifest = OwnedSchema & Pick<ModuleManifest, 'provides'>;

export type FeatureModule = ModuleManifest & { readonly register?: (host: ModuleHost) => Promise<void> | void };

export function defineModule(
  module: Pick<ModuleManifest, 'name'> &
    Partial<ModuleManifest> & { emits?: readonly EventType[]; handles?: readonly EventType[] },
): ModuleManifest {
  const lists = { dependsOn: [], contract: [], emits: [], handles: [], jobs: [], provides: [], implements: [] };
  return { ...lists, tables: {}, functions: {}, ...module };
}

/** Sorts modules after their dependencies. Throws for duplicate names, unknown dependencies and cycles. */
export function sortModules<R extends Pick<ModuleManifest, 'name' | 'dependsOn'>>(modules: readonly R[]): R[] {
  const byName = new Map(modules.map((module) => [module.name, module]));
  if (byName.size < modules.length) throw new Error('Two modules have the same name.');
  const levels = new Map<string, number>();
  const getLevel = (module: R, path: readonly string[]): number => {
    const known = levels.get(module.name);
    if (known !== undefined) return known;
    if (path.includes(module.name))
      throw new Error(`Modules depend on each other: ${[...path, module.name].join(' → ')}.`);
    const levelsBelow = module.dependsOn.map((name) => {
      const dependency = byName.get(name);
      if (!dependency) throw new Error(`The module ${module.name} depends on ${name}, which does not exist.`);
      return getLevel(dependency, [...path, module.name]);
    });
    const level = Math.max(0, ...levelsBelow.map((other) => other + 1));
    levels.set(module.name, level);
    return level;
  };
  return modules
    .map((module) => ({ module, level: getLevel(module, []) }))
    .sort((a, b) => a.level - b.level || (a.module.name < b.module.name ? -1 : 1))
    .map(({ module }) => module);
}

function isRoute(value: unknown): value is RouteSpec {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'auth' in value;
}

function isEvent(value: unknown): value is EventSpec {
  return typeof value === 'object' && value !== null && 'audience' in value && 'payload' in value;
}

export type NamedRoute = { readonly name: string; readonly module: string; readonly route: RouteSpec };

const listExports = (modules: readonly ModuleManifest[]) =>
  modules.flatMap(({ name: module, contract }) =>
    contract.flatMap((file) =>
      Object.entries(file).map(([name, value]: [string, unknown]) => ({ name, module, value })),
    ),
  );

export function listModuleRoutes(modules: readonly ModuleManifest[]): NamedRoute[] {
  return listExports(modules).flatMap(({ name, module, value }) =>
    isRoute(value) ? [{ name, module, route: value }] : [],
  );
}

export function listModuleEvents(
  modules: readonly ModuleManifest[],
): { name: string; module: string; event: EventSpec }[] {
  return listExports(modules).flatMap(({ name, module, value }) =>
    isEvent(value) ? [{ name, module, event: value }] : [],
  );
}
