/** Modules log each action in its own transaction with {@link noteAct}. */

import * as contract from '@stagedoor/contract/audit.ts';
import type { Server } from '../../kernel/bind.ts';
import { auditFile, viewAudit, viewChain, viewWords } from './log.ts';
import { manifest } from './manifest.ts';

export { countSince, lastDone, lastOf, lastOfEach } from './last.ts';
export { type Act, noteAct, viewAudit } from './log.ts';

export const room = {
  ...manifest,
  register: ({ bind, ctx }: Server): void => {
    bind(contract.listAudit, ({ query }) => viewAudit(ctx, query));
    bind(contract.auditChain, () => viewChain(ctx));
    bind(contract.auditWords, () => viewWords(ctx));
    bind(contract.exportAudit, ({ actor, query }) => auditFile(ctx, actor.userId, query));
  },
};
