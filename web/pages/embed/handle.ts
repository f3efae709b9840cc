/** How embeds are framed. Apart from their document, which no browser's script may bring along. */
import type { PageHandle } from '../../kernel/page.ts';

export const EMBED_HANDLE: PageHandle = { hydrate: false, shell: 'none', query: ['theme'] };
