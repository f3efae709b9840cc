import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Transaction } from '../../../kernel/db.ts';
import { findPeople, findUser } from '../../accounts/index.ts';
import { findSameMedia } from '../../media/index.ts';
import { copyMail } from '../mails.ts';

/** With `ownerId`, only the copies of that owner are added. */
export async function withCopies(
  db: Executor,
  mediaIds: readonly string[],
  ownerId?: string | null,
): Promise<string[]> {
  const same = await findSameMedia(db, mediaIds);
  const copies = ownerId === undefined ? same : same.filter((one) => one.ownerId === ownerId);
  return [...new Set([...mediaIds, ...copies.map(({ id }) => id)])];
}

export async function knownCopies(db: Executor, mediaIds: readonly string[]) {
  const others = (await findSameMedia(db, mediaIds)).filter(({ id }) => !mediaIds.includes(id));
  const people = await findPeople(
    db,
    others.map(({ ownerId }) => ownerId),
  );
  return { count: others.length, of: [...people.values()].map(({ username }) => username).sort() };
}

export async function tellOwners(
  ctx: Context,
  tx: Transaction,
  mediaIds: readonly string[],
  { personId, ...told }: { personId: string | null; ground: string; isBack: boolean },
): Promise<void> {
  const owners = new Set((await findSameMedia(tx, mediaIds)).map(({ ownerId }) => ownerId));
  await tellCopied(
    ctx,
    tx,
    [...owners].filter((ownerId) => ownerId !== personId),
    told,
  );
}

export async function tellCopied(
  ctx: Context,
  tx: Transaction,
  ownerIds: readonly string[],
  { ground, isBack }: { ground: string; isBack: boolean },
): Promise<void> {
  const userIds: string[] = [];
  for (const ownerId of ownerIds) {
    const owner = await findUser(tx, ownerId);
    if (!owner) continue;
    await ctx.mailer.send(tx, copyMail(owner, { ground, isBack }, `${ctx.config.publicUrl}${CASE_PATHS.contactUs}`));
    userIds.push(owner.id);
  }
  if (userIds.length > 0) await tx.emit('case.copied', { userIds, isBack });
}
