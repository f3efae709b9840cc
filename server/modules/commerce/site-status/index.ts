import * as adminAnnouncements from '@stagedoor/contract/admin/announcements.ts';
import * as contract from '@stagedoor/contract/admin/kill-switches.ts';
import { getSiteStatus, siteStatusChanged } from '@stagedoor/contract/commerce/site-status.ts';
import { DISMISSED_COOKIE } from '@stagedoor/contract/shared/dismissed-announcements.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { presentSiteStatus, toStatusViewer } from '../../../platform/site-status.ts';
import { endAnnouncementNow, listAnnouncementPage, publishAnnouncement } from './announcements.ts';
import './events.ts';
import { listSwitchStates, loadSiteStatus, setKillSwitch } from './kill-switches.ts';
import { manifest } from './manifest.ts';

export { publishAnnouncement } from './announcements.ts';
export { registerSwitchTurn, setKillSwitch } from './kill-switches.ts';

export const featureModule = {
  ...manifest,
  register: ({ bind, ctx }: ModuleHost): void => {
    ctx.siteStatus.setReader(() => loadSiteStatus(ctx));
    bind(contract.listKillSwitches, () => listSwitchStates(ctx.db));
    bind(contract.updateKillSwitch, ({ actor, params, body }) => setKillSwitch(ctx, actor.userId, params.name, body));
    bind(adminAnnouncements.listAnnouncements, ({ query }) => listAnnouncementPage(ctx, query));
    bind(adminAnnouncements.createAnnouncement, ({ actor, body, operationId }) =>
      publishAnnouncement(ctx, actor.userId, body, operationId),
    );
    bind(adminAnnouncements.endAnnouncement, ({ actor, params }) => endAnnouncementNow(ctx, actor.userId, params.id));
    bind(getSiteStatus, async ({ actor, request }) =>
      presentSiteStatus(
        await ctx.siteStatus.get(),
        toStatusViewer(actor, request.cookies[DISMISSED_COOKIE]),
        ctx.clock.now(),
      ),
    );
    const emitSiteStatusChanged = () =>
      ctx.realtime.emitToAll(siteStatusChanged, { at: ctx.clock.now().toISOString() });
    const { invalidate } = ctx.siteStatus;
    ctx.events.addLocalHandler('killSwitch.changed', 'killSwitches.invalidate', invalidate, invalidate);
    ctx.events.addLocalHandler('announcement.changed', 'announcements.invalidate', invalidate, invalidate);
    ctx.events.addLocalHandler('prices.changed', 'prices.invalidate', invalidate, invalidate);
    ctx.events.addBroadcastHandler(
      'killSwitch.changed',
      'killSwitches.emit',
      () => 'siteStatus',
      emitSiteStatusChanged,
    );
    ctx.events.addBroadcastHandler(
      'announcement.changed',
      'announcements.emit',
      () => 'siteStatus',
      emitSiteStatusChanged,
    );
    ctx.events.addBroadcastHandler('prices.changed', 'prices.emit', () => 'siteStatus', emitSiteStatusChanged);
  },
};
