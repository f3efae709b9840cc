/** Operators share the responses and use them in replies to all kinds of cases. */

import type { listCannedResponses, saveCannedResponse } from '@stagedoor/contract/admin/canned-responses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import * as texts from './texts.ts';

export async function getCannedResponses({
  db,
}: {
  db: Executor;
}): Promise<ResponseInputOf<typeof listCannedResponses>> {
  const rows = await db.query.selectFrom('canned_responses').selectAll().orderBy('title').execute();
  return { data: rows.map(({ id, title, body }) => ({ id, title, text: body })) };
}

/** Saves a reply, which replaces one with the same title. Throws CONFLICT when there are too many. */
export async function storeCannedResponse(
  ctx: Context,
  actor: Actor,
  { title, text }: BodyOf<typeof saveCannedResponse>,
): Promise<ResponseInputOf<typeof saveCannedResponse>> {
  const row = { title, body: text, at: ctx.clock.now() };
  return ctx.db.transaction(async (tx) => {
    const { data } = await getCannedResponses({ db: tx });
    if (data.length >= CASE_LIMITS.cannedResponses && data.every((one) => one.title !== title))
      throw new AppError('CONFLICT', {
        message: formatText(texts.templatesLimit, { max: CASE_LIMITS.cannedResponses }),
      });
    const { id } = await tx.query
      .insertInto('canned_responses')
      .values({ id: createId(ctx.clock), ...row })
      .onConflict((conflict) => conflict.column('title').doUpdateSet(row))
      .returning('id')
      .executeTakeFirstOrThrow();
    await logAction(ctx, tx, {
      operatorId: actor.userId,
      action: 'cannedResponse.save',
      subjectKind: 'cannedResponse',
      subjectId: id,
      details: { title },
    });
    return { id, title, text };
  });
}

/** Throws NOT_FOUND. */
export async function removeCannedResponse(ctx: Context, actor: Actor, id: string): Promise<{ success: true }> {
  await ctx.db.transaction(async (tx) => {
    const deleted = await tx.query
      .deleteFrom('canned_responses')
      .where('id', '=', id)
      .returning('title')
      .executeTakeFirst();
    if (!deleted) throw new AppError('NOT_FOUND');
    const details = { title: deleted.title };
    await logAction(ctx, tx, {
      operatorId: actor.userId,
      action: 'cannedResponse.delete',
      subjectKind: 'cannedResponse',
      subjectId: id,
      details,
    });
  });
  return { success: true };
}
