/** Share pictures are made on first request and cached until their content changes. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { ShareKind } from '@stagedoor/contract/shares.ts';
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { createTurns } from '../../kernel/turns.ts';
import { readShown, type Shown } from './facts.ts';

const MAX_WAITING = 40;
const inTurn = createTurns({
  atOnce: 1,
  waiting: MAX_WAITING,
  refusal: () =>
    new AppError('UNAVAILABLE', {
      message: 'We’re busy. Try again in a moment.',
      retryAfterSeconds: 5,
    }),
});

type Of = { kind: ShareKind; subjectId: string; version: string };
export const keyOf = ({ kind, subjectId, version }: Of) => `public/s/${kind}/${subjectId}/${version}.jpg`;

const NOTE: Statement = {
  name: 'shares-note',
  text: `insert into share_pictures (kind, subject_id, creator_id, version, made_at) values ($1, $2, $3, $4, clock_timestamp())
    on conflict (kind, subject_id) do update set version = excluded.version, made_at = excluded.made_at
    returning old.version as former`,
};
const FORGET: Statement = {
  name: 'shares-forget',
  text: `delete from share_pictures where creator_id = $1 and ($2::uuid is null or subject_id = $2) and ($3::timestamptz is null or made_at <= $3)
    returning kind, subject_id as "subjectId", version`,
};

const making = new Map<string, Promise<void>>();

async function make(ctx: Context, of: Of, shown: Shown): Promise<void> {
  const content = await inTurn(async () => (await import('./picture.ts')).drawShare(ctx, shown));
  const note = () => ctx.db.run<{ former: string | null }>(NOTE, [of.kind, of.subjectId, shown.creatorId, of.version]);
  // Recorded before the file exists, so that the file is known however this process ends.
  const [row] = await note();
  if (row?.former && row.former !== of.version) await ctx.storage.remove(keyOf({ ...of, version: row.former }));
  await ctx.storage.put(keyOf(of), content, 'image/jpeg');
  // Recorded again, because an invalidation in between found no file.
  await note();
  await readShown(ctx, of.kind, of.subjectId).catch(async (error: unknown) => {
    await ctx.storage.remove(keyOf(of));
    await forgetShares(ctx, shown.creatorId, of.kind === 'post' ? of.subjectId : null, null);
    throw error;
  });
}

/**
 * Returns the current path if another version was requested.
 * Throws NOT_FOUND if a visitor may not see the content, UNAVAILABLE when too many requests wait.
 */
export async function findShare(
  ctx: Context,
  kind: ShareKind,
  id: string,
  asked: string,
): Promise<{ key: string } | { path: string }> {
  const { shown, version, subjectId, path } = await readShown(ctx, kind, id);
  if (version !== asked || subjectId !== id) return { path };
  const of = { kind, subjectId, version };
  const key = keyOf(of);
  if (await ctx.storage.open(key)) return { key };
  const begun = making.get(key) ?? make(ctx, of, shown).finally(() => making.delete(key));
  making.set(key, begun);
  await begun;
  return { key };
}

/** After a change only pictures made before it are deleted, because the event arrives later. */
export async function forgetShares(
  ctx: Context,
  creatorId: string,
  postId: string | null,
  changedAt: Date | null,
): Promise<void> {
  for (const of of await ctx.db.run<Of>(FORGET, [creatorId, postId, changedAt])) await ctx.storage.remove(keyOf(of));
}
