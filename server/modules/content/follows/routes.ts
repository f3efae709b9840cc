import * as contract from '@stagedoor/contract/content/follows.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerFollowDeletionStep } from './account-deletion.ts';
import { registerFollowExportPart } from './data-export.ts';
import { listOwnFollowers } from './followers.ts';
import { updateFollow } from './service.ts';

export function register({ ctx, bind }: ModuleHost): void {
  registerFollowDeletionStep(ctx);
  registerFollowExportPart(ctx);
  bind(contract.followCreator, ({ actor, params, body }) => updateFollow(ctx, actor, params.id, body.isFollowed));
  bind(contract.listFollowers, ({ actor, query }) => listOwnFollowers(ctx, actor, query));
}
