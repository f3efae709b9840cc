import * as contract from '@stagedoor/contract/regions.ts';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import type { Place } from '../../kernel/places.ts';
import { keptMs } from '../../kernel/retention.ts';
import { registerArchivePart } from '../archive/index.ts';
import { registerClosing } from '../closing/index.ts';
import { Counted, createHidden, keepReading } from './hidden.ts';
import { namedPlace } from './names.ts';
import * as service from './service.ts';
import * as store from './store.ts';

const WRITE_MS = 30_000;

function registerParts(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'regions',
    title: 'Hidden locations',
    lead: 'Countries and states where you’re hidden.',
    entries: async function* ({ db }, { id }) {
      yield* (await store.readOf(db, id)).map((code) => ({ code, name: namedPlace(code)?.name ?? code }));
    },
  });
  registerClosing(ctx, 'regions', {
    erase: async ({ db }, { userId }) => {
      await db.transaction(async (tx) => {
        await store.erase(tx, userId);
        await tx.emit('regions.changed', { creatorId: userId });
      });
    },
  });
}

export async function register({ app, ctx, bind }: Server): Promise<void> {
  registerParts(ctx);
  const kept = { hidden: createHidden(ctx), counted: new Counted() };
  const { hidden, counted } = kept;
  const isIn = (creatorId: string, code: string) =>
    hidden.hidden({ country: code, state: undefined })?.ids.has(creatorId);
  ctx.places.use({
    isIdle: hidden.isIdle,
    hidden: hidden.hidden,
    refused: (creatorId: string, { country, state }: Place) =>
      counted.add(creatorId, state === undefined || isIn(creatorId, country) ? country : state),
  });
  const read = async () => {
    await hidden.reload();
    ctx.places.changed();
  };
  await read();
  const reading = keepReading(read, (error) => ctx.log.error({ err: error }, 'who is hidden where could not be read'));
  ctx.events.everywhere('regions.changed', 'regions.reload', reading.now, reading.now);
  // Loads changes made between the first load and the subscription to events.
  app.addHook('onListen', reading.now);

  const write = () =>
    service.writeCounts(ctx, kept).catch((error: unknown) => ctx.log.error({ err: error }, 'regions'));
  const writing = setInterval(() => void write(), WRITE_MS);
  writing.unref();
  app.addHook('onClose', async () => {
    clearInterval(writing);
    reading.stop();
    await write();
  });
  ctx.jobs.schedule('regions.forget', '41 3 * * *', () =>
    store.forgetUntil(ctx.db, new Date(ctx.clock.now().getTime() - keptMs('turnedAway'))),
  );

  bind(contract.getRegions, ({ actor }) => service.viewRegions(ctx, kept, actor));
  bind(contract.setRegions, ({ actor, body }) => service.changeRegions(ctx, kept, actor, body.codes));
  bind(contract.viewFromRegion, ({ actor, params }) => service.viewFrom(kept, actor, params.code));
}
