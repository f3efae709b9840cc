/** Reports progress to the owner at most once a second. */
import { mediaProgress } from '@stagedoor/contract/media.ts';
import type { Context } from '../../kernel/context.ts';
import { setStage } from './steps.ts';
import type { MediaRow, Stage } from './store.ts';

const TOLD_EVERY_MS = 1_000;

/** Abort reason if the medium was deleted or another attempt ended its processing. */
export class GoneError extends Error {}

export type Progress = {
  enter(stage: Stage): Promise<void>;
  /** `done` is 0 to 1. */
  report(done: number): void;
  /** Aborted when there is nothing left to process. */
  readonly signal: AbortSignal;
};

export function progressOf(
  ctx: Context,
  row: Pick<MediaRow, 'id' | 'owner_id' | 'status'>,
  outer?: AbortSignal,
): Progress {
  const gone = new AbortController();
  let stage: Stage = 'queued';
  let toldAt = 0;
  async function tell(progress: number): Promise<void> {
    toldAt = ctx.clock.now().getTime();
    if (!(await setStage(ctx.db, row, stage, progress))) gone.abort(new GoneError('the medium is gone'));
    ctx.realtime.toUser(row.owner_id, mediaProgress, { id: row.id, stage, progress });
  }
  return {
    enter: async (next) => {
      stage = next;
      await tell(0);
    },
    report: (done) => {
      if (ctx.clock.now().getTime() - toldAt < TOLD_EVERY_MS) return;
      tell(Math.round(Math.min(1, Math.max(0, done)) * 1000) / 1000).catch((error: unknown) =>
        ctx.log.warn({ err: error, mediaId: row.id }, 'progress could not be noted'),
      );
    },
    signal: outer ? AbortSignal.any([outer, gone.signal]) : gone.signal,
  };
}
