/** Hints at ban evasion, for the creator only. */
import * as z from 'zod/mini';
import { idList, userId } from '../shared/ids.ts';
import { route } from '../shared/route.ts';

/**
 * A guess without automatic consequences. The reason is never returned, the fan never learns of it, and fans who never
 * contacted the creator are not reported.
 */
export const listBanEvasionHints = route({
  method: 'GET',
  path: '/creator/ban-evasion-hints',
  summary: 'Check which fans may be evading a block',
  auth: 'creator',
  team: ['chat'],
  rate: 'read',
  query: z.object({ ids: idList }),
  response: z.object({ ids: z.array(userId) }),
});
