import type { ModuleManifest, PlatformManifest } from '../../server/platform/module.ts';

export type CodeFile = { readonly path: string; readonly text: string };
export type Codebase = {
  readonly modules: readonly ModuleManifest[];
  readonly platform: PlatformManifest;
  readonly manifests: readonly CodeFile[];
  readonly sources: readonly CodeFile[];
  /** In the order in which they run. */
  readonly migrations: readonly CodeFile[];
  /** `server/functions/<module>/<function>.sql`: the current body of each. */
  readonly functions: readonly CodeFile[];
};
