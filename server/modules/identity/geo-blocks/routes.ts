import * as contract from '@stagedoor/contract/identity/geo-blocks.ts';
import type { Context } from '../../../platform/context.ts';
import type { GeoLocation } from '../../../platform/geo.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { getRetentionMs } from '../../../platform/retention.ts';
import { registerDeletionStep } from '../account-deletion/index.ts';
import { registerExportPart } from '../data-export/index.ts';
import { createGeoBlockIndex, createReloader, GeoBlockHitCounter } from './block-index.ts';
import { findRegion } from './region-names.ts';
import * as service from './service.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const SAVE_MS = 30_000;

function registerPrivacyHooks(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'regions',
    title: texts.hiddenLocationsExportLabel,
    description: texts.hiddenLocationsExportDescription,
    entries: async function* ({ db }, { id }) {
      yield* (await store.listBlockedCodes(db, id)).map((code) => ({ code, name: findRegion(code)?.name ?? code }));
    },
  });
  registerDeletionStep(ctx, 'geo-blocks', {
    erase: async ({ db }, { userId }) => {
      await db.transaction(async (tx) => {
        await store.deleteGeoBlocks(tx, userId);
        await tx.emit('geoBlocks.changed', { creatorId: userId });
      });
    },
  });
}

export async function register({ app, ctx, bind }: ModuleHost): Promise<void> {
  registerPrivacyHooks(ctx);
  const geoBlocks = { index: createGeoBlockIndex(ctx), hitCounter: new GeoBlockHitCounter() };
  const { index, hitCounter } = geoBlocks;
  const isBlockedInCountry = (creatorId: string, code: string) =>
    index.findBlocks({ country: code, state: undefined })?.ids.has(creatorId);
  ctx.geo.setRules({
    hasNoBlocks: index.isIdle,
    findBlocks: index.findBlocks,
    countHit: (creatorId: string, { country, state }: GeoLocation) =>
      hitCounter.add(creatorId, state === undefined || isBlockedInCountry(creatorId, country) ? country : state),
  });
  const reloadAndNotify = async () => {
    await index.reload();
    ctx.geo.emitChange();
  };
  await reloadAndNotify();
  const reloader = createReloader(reloadAndNotify, (error) =>
    ctx.log.error({ err: error }, 'geo-blocks could not be loaded'),
  );
  ctx.events.addLocalHandler('geoBlocks.changed', 'geoBlocks.reload', reloader.run, reloader.run);
  // Loads changes made between the first load and the subscription to events.
  app.addHook('onListen', reloader.run);

  const saveCounts = () =>
    service
      .saveHitCounts(ctx, geoBlocks)
      .catch((error: unknown) => ctx.log.error({ err: error }, 'geo-block hits could not be saved'));
  const saveTimer = setInterval(() => void saveCounts(), SAVE_MS);
  saveTimer.unref();
  app.addHook('onClose', async () => {
    clearInterval(saveTimer);
    reloader.stop();
    await saveCounts();
  });
  ctx.jobs.schedule('geoBlocks.purgeExpired', '41 3 * * *', () =>
    store.deleteHitsUntil(ctx.db, new Date(ctx.clock.now().getTime() - getRetentionMs('geoBlockHits'))),
  );

  bind(contract.getGeoBlocks, ({ actor }) => service.getGeoBlockSettings(ctx, geoBlocks, actor));
  bind(contract.updateGeoBlocks, ({ actor, body }) => service.updateGeoBlocks(ctx, geoBlocks, actor, body.codes));
  bind(contract.checkGeoVisibility, ({ actor, params }) => service.checkVisibility(geoBlocks, actor, params.code));
}
