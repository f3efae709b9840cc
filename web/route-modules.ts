/**
 * Client build only: how the router brings a page's code. Its own way (routeModules.js) loads the document anew when that fails,
 * which without a connection is the browser's own error page in place of ours; kernel/route-module.ts waits instead.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const OURS = fileURLToPath(new URL('./kernel/route-module.ts', import.meta.url));
const ROUTER = /\/react-router\/dist\/[\w/-]+\/dom\/ssr\/[\w-]+\.js$/;
const THEIRS = /\/react-router\/.*\/routeModules\.js$/;

/** Puts ours in the router's place, and fails the build when a version of the router has none of this name. */
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
