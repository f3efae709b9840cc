/**
 * Client build only: replaces React Router's loading of route code, which reloads the document when loading fails.
 * Without a connection that would show the browser's error page. kernel/route-module.ts waits instead.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const OURS = fileURLToPath(new URL('./kernel/route-module.ts', import.meta.url));
const ROUTER = /\/react-router\/dist\/[\w/-]+\/dom\/ssr\/[\w-]+\.js$/;
const THEIRS = /\/react-router\/.*\/routeModules\.js$/;

/** Replaces the router's function. The build fails if a version of the router has no function of this name. */
export function keptRouteModules(): Plugin {
  return {
    name: 'kept-route-modules',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      filter: { id: /\/routeModules\.js$/ },
      handler: (_source, importer) => (importer && ROUTER.test(importer) ? OURS : null),
    },
    generateBundle() {
      const ids = [...this.getModuleIds()];
      if (!ids.includes(OURS) || ids.some((id) => THEIRS.test(id)))
        this.error('web/route-modules.ts: the router brings the code of pages by a module of another name now');
    },
  };
}
