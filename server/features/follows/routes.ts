/** Binds following; the lists of who is followed are profiles' (they show creators). */
import { follow } from '@stagedoor/contract/profiles.ts';
import type { Server } from '../../kernel/bind.ts';
import { setFollow } from './service.ts';

export function register({ ctx, bind }: Server): void {
  bind(follow, ({ actor, params, body }) => setFollow(ctx, actor, params.id, body.isFollowed));
}
