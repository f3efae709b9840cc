/** Switches: how they stand, who turns them, and that every process knows of it. */
import * as contract from '@stagedoor/contract/switches-desk.ts';
import type { Server } from '../../kernel/bind.ts';
import './events.ts';
import { manifest } from './manifest.ts';
import { readHouse, turn, viewSwitches } from './service.ts';

export { turn } from './service.ts';

export const room = {
  ...manifest,
  register: ({ bind, ctx }: Server): void => {
    ctx.switches.use(() => readHouse(ctx.db));
    bind(contract.listSwitches, () => viewSwitches(ctx.db));
    bind(contract.setSwitch, ({ actor, params, body }) => turn(ctx, actor.userId, params.name, body));
    ctx.events.everywhere('switch.changed', 'switches.forget', ctx.switches.forget, ctx.switches.forget);
  },
};
