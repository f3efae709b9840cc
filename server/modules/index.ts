/** The list is generated from the folders. */
import { manifest as platform } from '../platform/manifest.ts';
import {
  type FeatureModule,
  listModuleEvents,
  listModuleRoutes,
  type OwnedSchema,
  sortModules,
} from '../platform/module.ts';
import { MODULES } from './modules.ts';

/** Each module comes after those it depends on. */
export const MODULES_IN_ORDER: readonly FeatureModule[] = sortModules(MODULES);

export const ROUTES = listModuleRoutes(MODULES_IN_ORDER);
export const EVENTS = listModuleEvents(MODULES_IN_ORDER);

export const OWNED_SCHEMAS: readonly OwnedSchema[] = [platform, ...MODULES_IN_ORDER];
