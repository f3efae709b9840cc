/** The pages' build: React Router and Tailwind, in few chunks: what every page needs comes in two, the rest by page. */
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** React, its router, the query cache and the schemas' core: they change only when a version does. */
const VENDOR =
  /node_modules\/(?:react|react-dom|scheduler|react-router|@tanstack|cookie-es|cookie|set-cookie-parser|zod)\//;
/** Ours that most pages share. What brings a library of its own stays out, to be fetched where it is used. */
const SHARED =
  /\/(?:web\/(?:kernel|ui)|contract)\/(?!socket|forms|form-action|toaster|dialog|menu|tooltip|tab-panels|gallery).*\.tsx?$/;
const PAGES_SHARING = 4;

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
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
                { name: 'shared', test: SHARED, priority: 1, minShareCount: PAGES_SHARING },
              ],
            },
          },
        },
      },
    },
  },
}));
