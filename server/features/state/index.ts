import * as contract from '@stagedoor/contract/state-desk.ts';
import type { Server } from '../../kernel/bind.ts';
import { forgetFaultsBefore } from '../../kernel/faults.ts';
import { manifest } from './manifest.ts';
import { tryAgain, viewState } from './service.ts';

export const room = {
  ...manifest,
  register: ({ bind, ctx }: Server): void => {
    bind(contract.readState, ({ actor }) => viewState(ctx, actor));
    bind(contract.retryJob, ({ actor, params }) => tryAgain(ctx, actor, params.id));
    ctx.jobs.schedule('state.forget', '37 * * * *', () => forgetFaultsBefore(ctx.db, ctx.clock.now()));
  },
};
