/** The named chunks of the client build: every page shares two of them, the others are shared by some pages. */
import type { Plugin } from 'vite';

export type Chunk = {
  name: string;
  /** Each pattern must match at least one module. */
  include: readonly RegExp[];
  exclude?: readonly RegExp[];
  priority?: number;
  minShareCount?: number;
};

const toPackagePatterns = (...names: string[]) => names.map((name) => new RegExp(`/node_modules/${name}/`));
const toWebFilePatterns = (folder: string, ...names: string[]) =>
  names.map((name) => new RegExp(String.raw`/web/${folder}/${name}\.tsx?$`));
const toContractPatterns = (...names: string[]) =>
  names.map((name) => new RegExp(String.raw`/contract/${name}\.ts\?plain$`));
const ANY = String.raw`[\w-]+`;

const CHUNKS: readonly Chunk[] = [
  {
    // These change only with a version update.
    name: 'vendor',
    include: toPackagePatterns('react', 'react-dom', 'scheduler', 'react-router', '@tanstack', 'cookie-es'),
    priority: 2,
  },
  {
    name: 'shared',
    include: [
      ...toWebFilePatterns(
        'app',
        'app-link',
        'connection',
        'error-page',
        'rendering-context',
        'navigation',
        'root-data',
        'hydrated-ui',
      ),
      ...toWebFilePatterns('platform', ANY),
      ...toWebFilePatterns('ui', 'avatar', 'button', 'card', 'chips', 'class-names', 'icon', 'label', 'link', 'logo'),
      ...toWebFilePatterns('ui', 'pager', 'picture', 'gallery-layout', 'search-form', 'shell', 'states'),
      ...toWebFilePatterns('modules', `${ANY}/${ANY}/module`),
      ...toWebFilePatterns('modules', 'content/profiles/creator-card', 'content/follows/follow-button'),
      ...toContractPatterns(
        `shared/${ANY}`,
        'identity/accounts',
        'shared/addresses',
        'content/feed',
        'content/pictures',
        'content/posts',
        'content/profiles',
        'finance/wallet',
      ),
    ],
    exclude: [
      ...toWebFilePatterns(
        'platform',
        'login-destination',
        'broadcast-channel',
        'reload-guard',
        'bytes',
        'clipboard',
        'deposit-memory',
        'payment-page',
        'seller-gate',
        'download',
        'forms',
        'leave-guard',
        'log-out',
        'media-query',
        'operator',
        'overlay-root',
        'upload-form',
        'price',
        'price-limits',
        'price-schema',
        'shared-files',
        'shared-offer',
        'socket',
        'call-funds',
        'integer-field',
        'spending-bound',
        'running-call',
        'local-message',
        'linked-text',
        'money-field',
        'use-when-due',
      ),
      ...toContractPatterns(
        'shared/clean-text',
        'shared/delegation',
        'shared/destinations',
        'shared/missed-events',
        'shared/fold-text',
        'shared/hosts',
        'shared/module-limits',
        'shared/money-input',
        'shared/prices',
        'shared/scripts',
        'shared/single-line-text',
        'shared/text-links',
        'shared/validation',
      ),
    ],
    priority: 1,
    minShareCount: 2,
  },
  {
    name: 'controls',
    include: toWebFilePatterns('ui', 'choice', 'definition-list', 'field', 'password-field', 'popover', 'rows'),
    minShareCount: 2,
  },
  {
    name: 'conversation',
    include: [
      ...toWebFilePatterns('ui', 'bubble'),
      ...toContractPatterns('messaging/chat', 'messaging/chat-events', 'messaging/chat-settings'),
    ],
    minShareCount: 2,
  },
  {
    name: 'plans',
    include: [
      ...toWebFilePatterns(
        'modules/content/subscriptions',
        'billing',
        'plan-choice',
        'creator-tiers',
        'subscription-cache',
        'use-live-subscriptions',
        'use-single-flight',
      ),
      ...toContractPatterns('content/subscriptions', 'content/subscription-tiers'),
    ],
    minShareCount: 2,
  },
  {
    name: 'modules',
    include: [
      ...toWebFilePatterns('platform', 'reload-guard', 'bytes', 'price-limits', 'shared-files'),
      ...toWebFilePatterns('workers', 'shared'),
      ...toContractPatterns('shared/prices', 'shared/module-limits'),
    ],
    minShareCount: 2,
  },
];

/**
 * Creates the chunks of the client build. The build fails if a pattern matches no module, which happens when a file was
 * moved.
 */
export function createManualChunks(chunks: readonly Chunk[] = CHUNKS): Plugin {
  const groups = chunks.map(({ include, exclude = [], ...group }) => ({
    ...group,
    test: (id: string) => include.some((pattern) => pattern.test(id)) && !exclude.some((pattern) => pattern.test(id)),
  }));
  return {
    name: 'named-chunks',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    config: () => ({
      environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
    }),
    generateBundle() {
      const ids = [...this.getModuleIds()];
      const stale = chunks.flatMap(({ name, include, exclude = [] }) =>
        [...include, ...exclude]
          .filter((pattern) => !ids.some((id) => pattern.test(id)))
          .map((pattern) => `of the chunk "${name}", ${pattern} matches no module`),
      );
      if (stale.length > 0)
        this.error(
          `web/vite/manual-chunks.ts: ${stale.join('; ')}: name the files as they are called now, or take them out`,
        );
    },
  };
}
