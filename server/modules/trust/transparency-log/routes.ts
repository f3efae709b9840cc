/** Serves the log as public static files (C2SP tlog-tiles) and runs the sequencer. */

import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { exportJournal, getJournal, getJournalProofStatus } from '@stagedoor/contract/trust/transparency-log.ts';
import { Gauge } from 'prom-client';
import { getCallerKey } from '../../../platform/http/http.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { limitRequests, type RateLimit } from '../../../platform/limits/rate-limit.ts';
import { viewJournal, viewProofStatus, writeJournal } from './journal.ts';
import { createOwnVerifier } from './log-paths.ts';
import { checkLogNightly } from './nightly-check.ts';
import { countLateRows, pruneCheckpoints, sequenceRows } from './sequencer.ts';
import { formatVkey } from './signed-note.ts';
import { createTileReader, findLastCheckpoint } from './store.ts';
import { parseTilePath } from './tiles.ts';

const PREFIX = '/.well-known/stagedoor-ledger';
/** Higher than usual, because a verifier reads many tiles. */
const READ_LIMIT: RateLimit = { name: 'transparency-log', max: 600, windowMs: 60_000 };
const HASH_BYTES = 32;

function serveLog({ app, ctx }: ModuleHost): void {
  const onRequest = limitRequests(ctx.limits, READ_LIMIT, getCallerKey);
  app.get(`${PREFIX}/checkpoint`, { onRequest }, async (_request, reply) => {
    const last = await findLastCheckpoint(ctx.db);
    if (!last) throw new AppError('NOT_FOUND');
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(last.note);
  });
  app.get(`${PREFIX}/key`, { onRequest }, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(`${formatVkey(createOwnVerifier(ctx.config))}\n`),
  );
  app.get<{ Params: { '*': string } }>(`${PREFIX}/tile/*`, { onRequest }, async (request, reply) => {
    const tile = parseTilePath(`tile/${request.params['*']}`);
    const bytes =
      tile && (await createTileReader(ctx.db)(tile.level, tile.index))?.subarray(0, tile.width * HASH_BYTES);
    if (bytes?.length !== (tile?.width ?? 0) * HASH_BYTES) throw new AppError('NOT_FOUND');
    return reply
      .type('application/octet-stream')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(bytes);
  });
}

export function register(server: ModuleHost): void {
  const { ctx, bind, metrics } = server;
  serveLog(server);
  bind(getJournal, ({ actor, query }) => viewJournal(ctx, actor, query));
  bind(getJournalProofStatus, ({ actor, query }) => viewProofStatus(ctx, actor, query));
  bind(exportJournal, ({ actor }) => writeJournal(ctx, actor));
  ctx.jobs.schedule('transparencyLog.sequence', '* * * * *', async () => {
    await sequenceRows(ctx);
  });
  ctx.jobs.schedule('transparencyLog.sequenceAll', '41 3 * * *', async () => {
    await sequenceRows(ctx, true);
  });
  // Runs before the checkpoints are pruned, because it verifies them.
  ctx.jobs.schedule(
    'transparencyLog.check',
    '47 3-23 * * *',
    () => checkLogNightly(ctx).then(() => undefined),
    'comparing',
  );
  ctx.jobs.schedule('transparencyLog.pruneCheckpoints', '53 3 * * *', async () => {
    await pruneCheckpoints(ctx);
  });
  new Gauge({
    name: 'stagedoor_transparency_unsequenced',
    help: 'Money records without a position in the transparency log for more than five minutes',
    registers: [metrics],
    async collect() {
      this.set(await countLateRows(ctx));
    },
  });
}
