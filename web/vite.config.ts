import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { BUILD_TARGET } from './vite/browser-targets.ts';
import { replaceRouteLoader } from './vite/lazy-routes.ts';
import { createManualChunks } from './vite/manual-chunks.ts';
import { splitContract } from './vite/split-contract.ts';

/** Keeps React's server renderer out of browser bundles, where it would add 30 kB to every page. */
const noServerInBrowsers: Plugin = {
  name: 'no-server-in-browsers',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId: {
    filter: { id: /^react-dom\/server/ },
    handler(id, importer) {
      this.error(`${importer} would bring ${id} to browsers: separate what a route exports from what its loader needs`);
    },
  },
};

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    reactRouter(),
    splitContract(),
    createManualChunks(),
    replaceRouteLoader(),
    noServerInBrowsers,
  ],
  // A single self-contained server bundle starts faster.
  ...(command === 'build' && { ssr: { noExternal: true as const } }),
  // Listed so that the first visit in development does not reload the page several times.
  optimizeDeps: {
    include: [
      '@tanstack/react-query',
      'react-hook-form',
      'zod/mini',
      'socket.io-client',
      'sonner',
      'thumbhash',
      'tus-js-client',
    ],
  },
  build: { target: BUILD_TARGET, assetsInlineLimit: 0, reportCompressedSize: false },
  environments: {
    // The bundle contains only React's production build, regardless of NODE_ENV on the server.
    ...(command === 'build' && { ssr: { define: { 'process.env.NODE_ENV': JSON.stringify('production') } } }),
    client: {
      build: {
        rolldownOptions: {
          // Interface texts are constants of other files. Inlined, a page loads only its own.
          optimization: { inlineConst: { mode: 'all', pass: 2 } },
          output: {
            // The shortest hash that the bundler allows, because the route table of every page lists each name.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
          },
        },
      },
    },
  },
}));
