/** Who seems to be somebody a creator blocked, for that creator's eyes alone. */
import * as z from 'zod/mini';
import { idList, userId } from './atoms/ids.ts';
import { route } from './atoms/route.ts';

/** Never why, and never told to whom it is about; a guess, from which nothing follows by itself. Of those who did not come to the creator, nothing is said. */
export const seemBlocked = route({
  method: 'GET',
  path: '/creator/seem-blocked',
  summary: 'Which of some fans seem to be somebody one has blocked',
  auth: 'creator',
  team: ['chat'],
  rate: 'read',
  query: z.object({ ids: idList }),
  response: z.object({ ids: z.array(userId) }),
});
