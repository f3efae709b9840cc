import * as contract from '@stagedoor/contract/lookup.ts';
import * as things from '@stagedoor/contract/lookup-things.ts';
import type { Server } from '../../kernel/bind.ts';
import { lookAtPost, openForPerson, openForPost } from '../cases/index.ts';
import { manifest } from './manifest.ts';
import { viewPerson } from './person.ts';
import { search } from './search.ts';
import { viewCall, viewPost } from './things.ts';

export const room = {
  ...manifest,
  register: ({ bind, ctx }: Server) => {
    bind(contract.lookUp, ({ actor, query }) => search(ctx, actor, query.q));
    bind(things.readDeskPost, ({ actor, params }) => viewPost(ctx, actor, params.id));
    bind(things.showDeskPost, ({ actor, params }) => lookAtPost(ctx, actor, params.id));
    bind(things.openPostCase, ({ actor, params, body }) => openForPost(ctx, actor, params.id, body.ground));
    bind(things.readDeskCall, ({ actor, params }) => viewCall(ctx, actor, params.id));
    bind(contract.openPersonCase, ({ actor, params, body }) => openForPerson(ctx, actor, params.id, body));
    bind(contract.readPerson, ({ actor, params }) => viewPerson(ctx, actor, params.id));
  },
};
