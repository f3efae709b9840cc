/**
 * Client build only: replaces React Router's loading of route code, which reloads the document when loading fails.
 * Without a connection that would show the browser's error page. platform/route-module.ts waits instead.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const OWN_MODULE = fileURLToPath(new URL('../platform/route-module.ts', import.meta.url));
const ROUTER = /\/react-router\/dist\/[\w/-]+\/dom\/ssr\/[\w-]+\.js$/;
const ROUTER_MODULE = /\/react-router\/.*\/routeModules\.js$/;

/** Replaces the router's function. The build fails if a version of the router has no function of this name. */
export function replaceRouteLoader(): Plugin {
  return {
    name: 'replace-route-loader',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      filter: { id: /\/routeModules\.js$/ },
      handler: (_source, importer) => (importer && ROUTER.test(importer) ? OWN_MODULE : null),
    },
    generateBundle() {
      const ids = [...this.getModuleIds()];
      if (!ids.includes(OWN_MODULE) || ids.some((id) => ROUTER_MODULE.test(id)))
        this.error(
          'web/vite/lazy-routes.ts: React Router no longer loads route code in the module that this plugin replaces',
        );
    },
  };
}
