/** Reports progress to the owner at most once a second. */
import { mediaProgress } from '@stagedoor/contract/content/media.ts';
import type { Context } from '../../../../platform/context.ts';
import type { MediaRow, Stage } from '../store.ts';
import { setStage } from './processing-state.ts';

const REPORT_INTERVAL_MS = 1_000;

/** Abort reason if the medium was deleted or another attempt ended its processing. */
export class GoneError extends Error {}

export type ProcessingProgress = {
  enter(stage: Stage): Promise<void>;
  /** `done` is 0 to 1. */
  report(done: number): void;
  /** Aborted when there is nothing left to process. */
  readonly signal: AbortSignal;
};

export function createProgress(
  ctx: Context,
  row: Pick<MediaRow, 'id' | 'owner_id' | 'status'>,
  outer?: AbortSignal,
): ProcessingProgress {
  const goneController = new AbortController();
  let stage: Stage = 'queued';
  let reportedAt = 0;
  async function saveAndEmit(progress: number): Promise<void> {
    reportedAt = ctx.clock.now().getTime();
    if (!(await setStage(ctx.db, row, stage, progress))) goneController.abort(new GoneError('the medium was deleted'));
    ctx.realtime.emitToUser(row.owner_id, mediaProgress, { id: row.id, stage, progress });
  }
  return {
    enter: async (next) => {
      stage = next;
      await saveAndEmit(0);
    },
    report: (done) => {
      if (ctx.clock.now().getTime() - reportedAt < REPORT_INTERVAL_MS) return;
      saveAndEmit(Math.round(Math.min(1, Math.max(0, done)) * 1000) / 1000).catch((error: unknown) =>
        ctx.log.warn({ err: error, mediaId: row.id }, 'the progress could not be saved'),
      );
    },
    signal: outer ? AbortSignal.any([outer, goneController.signal]) : goneController.signal,
  };
}
