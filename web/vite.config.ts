/** The pages' build: React Router and Tailwind, in few chunks: what every page needs comes in two, the rest by page. Contract files come without their schemas (contract-parts.ts). */
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { contractParts } from './contract-parts.ts';

/** React, its router and the query cache: they change only when a version does. */
const VENDOR =
  /node_modules\/(?:react|react-dom|scheduler|react-router|@tanstack|cookie-es|cookie|set-cookie-parser)\//;
/** What stands behind every page: the frame, the kernel, and the parts of nearly all of them. */
const SHARED = new RegExp(
  [
    String.raw`/web/app/(?:blocked-words|error-page|request-frame|rooms|root-data|running)\.tsx?$`,
    String.raw`/web/kernel/(?!socket|forms|form-action)[\w-]+\.ts$`,
    String.raw`/web/ui/(?:avatar|button|card|chips|class-names|field|icon|label|link|logo|pager|picture|shell|states)\.tsx?$`,
    String.raw`/web/features/(?:[\w-]+/room|posts/(?:live|new-post-bar)|profiles/(?:creator-card|follow-button))\.tsx?$`,
    String.raw`/contract/(?:atoms/[\w-]+|accounts|addresses|pictures|posts|profiles|wallet)\.ts\?plain$`,
  ].join('|'),
);
/** Parts of forms and lists that many pages have, but neither the front page nor a profile. */
const CONTROLS = /\/web\/ui\/(?:choice|facts|password-field|popover|rows)\.tsx$/;

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
  plugins: [tailwindcss(), reactRouter(), contractParts(), noServerInBrowsers],
  // One self-contained server bundle: it starts faster, and React is the production one whatever NODE_ENV the server has.
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
  build: { target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'vendor', test: VENDOR, priority: 2 },
                { name: 'shared', test: SHARED, priority: 1, minShareCount: 2 },
                { name: 'controls', test: CONTROLS, minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
  },
}));
