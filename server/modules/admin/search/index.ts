import * as adminContent from '@stagedoor/contract/admin/content.ts';
import * as contract from '@stagedoor/contract/admin/search.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { openCaseForPost, openCaseForUser, viewPostContent } from '../../trust/moderation/index.ts';
import { getCallView, getPostView } from './content.ts';
import { manifest } from './manifest.ts';
import { runAdminSearch } from './search.ts';
import { getUserView } from './user.ts';

export const featureModule = {
  ...manifest,
  register: ({ bind, ctx }: ModuleHost) => {
    bind(contract.searchAdmin, ({ actor, query }) => runAdminSearch(ctx, actor, query.q));
    bind(adminContent.getAdminPost, ({ actor, params }) => getPostView(ctx, actor, params.id));
    bind(adminContent.getAdminPostContent, ({ actor, params }) => viewPostContent(ctx, actor, params.id));
    bind(adminContent.openPostCase, ({ actor, params, body }) => openCaseForPost(ctx, actor, params.id, body.reason));
    bind(adminContent.getAdminCall, ({ actor, params }) => getCallView(ctx, actor, params.id));
    bind(contract.openUserCase, ({ actor, params, body }) => openCaseForUser(ctx, actor, params.id, body));
    bind(contract.getAdminUser, ({ actor, params }) => getUserView(ctx, actor, params.id));
  },
};
