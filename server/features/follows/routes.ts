import * as contract from '@stagedoor/contract/follows.ts';
import type { Server } from '../../kernel/bind.ts';
import { registerFollowPart } from './archive.ts';
import { registerFollowClosing } from './closing.ts';
import { findFollowers } from './followers.ts';
import { setFollow } from './service.ts';

export function register({ ctx, bind }: Server): void {
  registerFollowClosing(ctx);
  registerFollowPart(ctx);
  bind(contract.follow, ({ actor, params, body }) => setFollow(ctx, actor, params.id, body.isFollowed));
  bind(contract.listFollowers, ({ actor, query }) => findFollowers(ctx, actor, query));
}
