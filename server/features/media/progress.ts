/** Tells owners how far the processing of an upload is: at most once a second, in the row and live. */
import { mediaProgress } from '@stagedoor/contract/media.ts';
import type { Context } from '../../kernel/context.ts';
import { setStage } from './steps.ts';
import type { MediaRow, Stage } from './store.ts';

const TOLD_EVERY_MS = 1_000;

/** What a job is aborted with when its medium was thrown away meanwhile, or given up by another attempt. */
export class GoneError extends Error {}

export type Progress = {
  /** Begins a stage; told at once. */
  enter(stage: Stage): Promise<void>;
  /** How much of the present stage is done, 0 to 1. */
  report(done: number): void;
  /** Aborted when there is nothing to process any more. */
  readonly signal: AbortSignal;
};

/** Progress of one medium's processing; `signal` also follows the `outer` one. */
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
