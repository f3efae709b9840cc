/** The named chunks of the client build: every page shares two of them, the others are shared by some pages. */
import type { Plugin } from 'vite';

export type Chunk = {
  name: string;
  /** Each pattern must match at least one module. */
  of: readonly RegExp[];
  not?: readonly RegExp[];
  priority?: number;
  minShareCount?: number;
};

const packages = (...names: string[]) => names.map((name) => new RegExp(`/node_modules/${name}/`));
const own = (folder: string, ...names: string[]) =>
  names.map((name) => new RegExp(String.raw`/web/${folder}/${name}\.tsx?$`));
const contract = (...names: string[]) => names.map((name) => new RegExp(String.raw`/contract/${name}\.ts\?plain$`));
const ANY = String.raw`[\w-]+`;

const CHUNKS: readonly Chunk[] = [
  {
    // These change only with a version update.
    name: 'vendor',
    of: packages('react', 'react-dom', 'scheduler', 'react-router', '@tanstack', 'cookie-es'),
    priority: 2,
  },
  {
    name: 'shared',
    of: [
      ...own('app', 'app-link', 'connection', 'error-page', 'request-frame', 'rooms', 'root-data', 'running'),
      ...own('kernel', ANY),
      ...own('ui', 'avatar', 'button', 'card', 'chips', 'class-names', 'icon', 'label', 'link', 'logo'),
      ...own('ui', 'pager', 'picture', 'rhythm', 'search-form', 'shell', 'states'),
      ...own('features', `${ANY}/room`),
      ...own('features', 'profiles/creator-card', 'follows/follow-button'),
      ...contract(`atoms/${ANY}`, 'accounts', 'addresses', 'feed', 'pictures', 'posts', 'profiles', 'wallet'),
    ],
    not: [
      ...own(
        'kernel',
        'after-login',
        'busy',
        'bytes',
        'clipboard',
        'door',
        'download',
        'forms',
        'leaving',
        'log-out',
        'media-query',
        'operator',
        'over-page',
        'post-form',
        'price',
        'price-limits',
        'price-rule',
        'shared-files',
        'shared-offer',
        'socket',
      ),
      ...contract('atoms/acting', 'atoms/lines', 'atoms/prices', 'atoms/room-limits', 'atoms/words'),
    ],
    priority: 1,
    minShareCount: 2,
  },
  {
    name: 'controls',
    of: own('ui', 'choice', 'facts', 'field', 'password-field', 'popover', 'rows'),
    minShareCount: 2,
  },
  {
    name: 'conversation',
    of: [...own('ui', 'bubble'), ...contract('chat', 'chat-live', 'chat-terms')],
    minShareCount: 2,
  },
  {
    name: 'rooms',
    of: [
      ...own('kernel', 'busy', 'bytes', 'price-limits', 'shared-files'),
      ...own('workers', 'shared'),
      ...contract('atoms/prices', 'atoms/room-limits'),
    ],
    minShareCount: 2,
  },
];

/**
 * Creates the chunks of the client build. The build fails if a pattern matches no module, which happens when a file was
 * moved.
 */
export function namedChunks(chunks: readonly Chunk[] = CHUNKS): Plugin {
  const groups = chunks.map(({ of, not = [], ...group }) => ({
    ...group,
    test: (id: string) => of.some((pattern) => pattern.test(id)) && !not.some((pattern) => pattern.test(id)),
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
      const stale = chunks.flatMap(({ name, of, not = [] }) =>
        [...of, ...not]
          .filter((pattern) => !ids.some((id) => pattern.test(id)))
          .map((pattern) => `of the chunk "${name}", ${pattern} matches no module`),
      );
      if (stale.length > 0)
        this.error(`web/chunks.ts: ${stale.join('; ')}: name the files as they are called now, or take them out`);
    },
  };
}
