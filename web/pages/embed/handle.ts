/** The route settings of embeds. A separate file, so that browsers do not load the embed document with it. */
import type { PageHandle } from '../../platform/page.ts';

export const EMBED_HANDLE: PageHandle = { hydrate: false, shell: 'none', query: ['theme'] };
