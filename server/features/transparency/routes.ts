/** Serves the log as public static files (C2SP tlog-tiles) and runs the sequencer. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { exportJournal, getJournal, journalPlaces } from '@stagedoor/contract/transparency.ts';
import { Gauge } from 'prom-client';
import type { Server } from '../../kernel/bind.ts';
import { callerKey } from '../../kernel/http.ts';
import { limitRequests } from '../../kernel/limits.ts';
import { viewJournal, viewPlaces, writeJournal } from './journal.ts';
import { checkNightly } from './nightly.ts';
import { vkeyOf } from './note.ts';
import { ownVerifier } from './places.ts';
import { countLate, sequence, thin } from './sequencer.ts';
import { lastCheckpoint, tilesOf } from './store.ts';
import { parseTilePath } from './tiles.ts';

const PREFIX = '/.well-known/stagedoor-ledger';
/** Higher than usual, because a verifier reads many tiles. */
const READS_A_MINUTE = 600;
const HASH_BYTES = 32;

function serveLog({ app, ctx }: Server): void {
  const limit = { name: 'transparency', max: Math.ceil(READS_A_MINUTE * ctx.config.rateFactor), windowMs: 60_000 };
  const onRequest = limitRequests(ctx.limits, limit, callerKey);
  app.get(`${PREFIX}/checkpoint`, { onRequest }, async (_request, reply) => {
    const last = await lastCheckpoint(ctx.db);
    if (!last) throw new AppError('NOT_FOUND');
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(last.note);
  });
  app.get(`${PREFIX}/key`, { onRequest }, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(`${vkeyOf(ownVerifier(ctx.config))}\n`),
  );
  app.get<{ Params: { '*': string } }>(`${PREFIX}/tile/*`, { onRequest }, async (request, reply) => {
    const wanted = parseTilePath(`tile/${request.params['*']}`);
    const bytes = wanted && (await tilesOf(ctx.db)(wanted.level, wanted.index))?.subarray(0, wanted.width * HASH_BYTES);
    if (bytes?.length !== (wanted?.width ?? 0) * HASH_BYTES) throw new AppError('NOT_FOUND');
    return reply
      .type('application/octet-stream')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(bytes);
  });
}

export function register(server: Server): void {
  const { ctx, bind, metrics } = server;
  serveLog(server);
  bind(getJournal, ({ actor, query }) => viewJournal(ctx, actor, query));
  bind(journalPlaces, ({ actor, query }) => viewPlaces(ctx, actor, query));
  bind(exportJournal, ({ actor }) => writeJournal(ctx, actor));
  ctx.jobs.schedule('transparency.sequence', '* * * * *', async () => {
    await sequence(ctx);
  });
  ctx.jobs.schedule('transparency.sequenceAll', '41 3 * * *', async () => {
    await sequence(ctx, true);
  });
  // Runs before the checkpoints are thinned, because it verifies them.
  ctx.jobs.schedule('transparency.check', '47 3-23 * * *', () => checkNightly(ctx).then(() => undefined), 'comparing');
  ctx.jobs.schedule('transparency.thin', '53 3 * * *', async () => {
    await thin(ctx);
  });
  new Gauge({
    name: 'stagedoor_transparency_unplaced',
    help: 'Rows of money without a place in the log for more than five minutes',
    registers: [metrics],
    async collect() {
      this.set(await countLate(ctx));
    },
  });
}
