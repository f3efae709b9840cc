/** The operator's looking-up, above all that it finds and called by none. */
import * as contract from '@stagedoor/contract/lookup.ts';
import type { Server } from '../../kernel/bind.ts';
import { manifest } from './manifest.ts';
import { viewPerson } from './person.ts';
import { search } from './search.ts';

export const room = {
  ...manifest,
  register: ({ bind, ctx }: Server) => {
    bind(contract.lookUp, ({ actor, query }) => search(ctx, actor, query.q));
    bind(contract.readPerson, ({ actor, params }) => viewPerson(ctx, actor, params.id));
  },
};
