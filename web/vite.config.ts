/** The pages' build: React Router and Tailwind, in few chunks (chunks.ts). Contract files come without their schemas (contract-parts.ts). */
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { namedChunks } from './chunks.ts';
import { contractParts } from './contract-parts.ts';
import { BUILD_TARGET } from './floor.ts';
import { leftOut } from './left-out.ts';
import { keptRouteModules } from './route-modules.ts';

/** A page that renders on the server by its loader alone must not bring React's server to browsers: 30 kB on every page. */
const noServerInBrowsers: Plugin = {
  name: 'no-server-in-browsers',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId: {
    filter: { id: /^react-dom\/server/ },
    handler(id, importer) {
      this.error(
        `${importer} would bring ${id} to browsers: keep what a route exports apart from what its loader needs`,
      );
    },
  },
};

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    reactRouter(),
    contractParts(),
    namedChunks(),
    keptRouteModules(),
    leftOut(),
    noServerInBrowsers,
  ],
  // One self-contained server bundle starts faster.
  ...(command === 'build' && { ssr: { noExternal: true as const } }),
  // Named so that the first visit in development doesn't load the page several times over.
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
    // The bundle holds only React's production build, whatever NODE_ENV the server has.
    ...(command === 'build' && { ssr: { define: { 'process.env.NODE_ENV': JSON.stringify('production') } } }),
    client: {
      build: {
        rolldownOptions: {
          output: {
            // As short as the bundler makes them: each name stands in every page's table.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
          },
        },
      },
    },
  },
}));
