/** Audit: what operators did, for ever. Whoever lets an operator act notes it in the same transaction by {@link noteAct}. */

import * as contract from '@stagedoor/contract/audit.ts';
import type { Server } from '../../kernel/bind.ts';
import { viewAudit } from './log.ts';
import { manifest } from './manifest.ts';

export { lastDone } from './last.ts';
export { type Act, noteAct } from './log.ts';

export const room = {
  ...manifest,
  register: ({ bind, ctx }: Server) => bind(contract.listAudit, ({ query }) => viewAudit(ctx, query)),
};
