import * as desk from '@stagedoor/contract/announcements-desk.ts';
import { CLOSED_COOKIE } from '@stagedoor/contract/atoms/closed-notices.ts';
import { houseChanged, readHouse as readHouseRoute } from '@stagedoor/contract/house.ts';
import * as contract from '@stagedoor/contract/switches-desk.ts';
import type { Server } from '../../kernel/bind.ts';
import { hearerOf, saidTo } from '../../kernel/switches.ts';
import { endAnnouncementNow, viewAnnouncements, writeAnnouncement } from './announcements.ts';
import './events.ts';
import { manifest } from './manifest.ts';
import { readHouse, turn, viewSwitches } from './service.ts';

export { writeAnnouncement } from './announcements.ts';
export { turn } from './service.ts';

export const room = {
  ...manifest,
  register: ({ bind, ctx }: Server): void => {
    ctx.switches.use(() => readHouse(ctx));
    bind(contract.listSwitches, () => viewSwitches(ctx.db));
    bind(contract.setSwitch, ({ actor, params, body }) => turn(ctx, actor.userId, params.name, body));
    bind(desk.listAnnouncements, ({ query }) => viewAnnouncements(ctx, query));
    bind(desk.announce, ({ actor, body, operationId }) => writeAnnouncement(ctx, actor.userId, body, operationId));
    bind(desk.endAnnouncement, ({ actor, params }) => endAnnouncementNow(ctx, actor.userId, params.id));
    bind(readHouseRoute, async ({ actor, request }) =>
      saidTo(await ctx.switches.house(), hearerOf(actor, request.cookies[CLOSED_COOKIE]), ctx.clock.now()),
    );
    const tell = () => ctx.realtime.toPublic(houseChanged, { at: ctx.clock.now().toISOString() });
    const { forget } = ctx.switches;
    ctx.events.everywhere('switch.changed', 'switches.forget', forget, forget);
    ctx.events.everywhere('announcement.changed', 'announcements.forget', forget, forget);
    ctx.events.everywhere('prices.changed', 'prices.forget', forget, forget);
    ctx.events.tell('switch.changed', 'switches.tabs', () => 'house', tell);
    ctx.events.tell('announcement.changed', 'announcements.tabs', () => 'house', tell);
    ctx.events.tell('prices.changed', 'prices.tabs', () => 'house', tell);
  },
};
