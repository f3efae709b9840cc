/** What of profiles goes into a creator's archive: what they show of themselves. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { registerArchivePart } from '../archive/index.ts';
import { viewEmbeds } from './embeds.ts';

const PROFILE: Statement = {
  name: 'profiles-archive',
  text: `select craft, city, bio, category, links, own_links as "ownLinks", layout, shape, format, follower_count as followers, post_count as posts, view_count as views,
    is_verified as "isVerified" from creators where user_id = $1`,
};

export function registerProfilePart(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'profile',
    title: 'Profile',
    lead: 'What you show of yourself, and how often it was seen.',
    entries: async function* ({ db }, { id }) {
      for (const profile of await db.run<{ bio: string }>(PROFILE, [id]))
        yield { ...profile, frames: await viewEmbeds({ db }, id) };
    },
  });
}
