import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../../platform/database/db.ts';
import { listMediaCopies } from '../../../content/media/index.ts';
import { findUser, findUserSummaries } from '../../../identity/accounts/index.ts';
import { createCopyMail } from '../mails.ts';

/** With `ownerId`, only the copies of that owner are added. */
export async function addCopies(db: Executor, mediaIds: readonly string[], ownerId?: string | null): Promise<string[]> {
  const identical = await listMediaCopies(db, mediaIds);
  const copies = ownerId === undefined ? identical : identical.filter((copy) => copy.ownerId === ownerId);
  return [...new Set([...mediaIds, ...copies.map(({ id }) => id)])];
}

export async function findKnownCopies(db: Executor, mediaIds: readonly string[]) {
  const copies = (await listMediaCopies(db, mediaIds)).filter(({ id }) => !mediaIds.includes(id));
  const ownersById = await findUserSummaries(
    db,
    copies.map(({ ownerId }) => ownerId),
  );
  return { count: copies.length, ownerUsernames: [...ownersById.values()].map(({ username }) => username).sort() };
}

export async function notifyCopyOwners(
  ctx: Context,
  tx: DbTransaction,
  mediaIds: readonly string[],
  { exceptUserId, ...notice }: { exceptUserId: string | null; reason: string; isRestored: boolean },
): Promise<void> {
  const owners = new Set((await listMediaCopies(tx, mediaIds)).map(({ ownerId }) => ownerId));
  await notifyOwners(
    ctx,
    tx,
    [...owners].filter((ownerId) => ownerId !== exceptUserId),
    notice,
  );
}

export async function notifyOwners(
  ctx: Context,
  tx: DbTransaction,
  ownerIds: readonly string[],
  { reason, isRestored }: { reason: string; isRestored: boolean },
): Promise<void> {
  const userIds: string[] = [];
  for (const ownerId of ownerIds) {
    const owner = await findUser(tx, ownerId);
    if (!owner) continue;
    await ctx.mailer.send(
      tx,
      createCopyMail(owner, { reason, isRestored }, `${ctx.config.publicUrl}${CASE_PATHS.contactUs}`),
    );
    userIds.push(owner.id);
  }
  if (userIds.length > 0) await tx.emit('case.copied', { userIds, isRestored });
}
