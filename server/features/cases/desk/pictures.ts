import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FileAnswer } from '@stagedoor/contract/atoms/route.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Actor } from '../../../kernel/session.ts';
import { requireReads } from '../access.ts';
import { openSealed } from '../sealed.ts';
import { findCase } from '../store.ts';

/** Opens a picture for operators who may read its case. Throws NOT_FOUND. */
export async function openCasePicture(ctx: Context, actor: Actor, caseId: string, id: string): Promise<FileAnswer> {
  const its = await findCase(ctx.db, caseId);
  if (!its) throw new AppError('NOT_FOUND');
  await requireReads(ctx.db, actor, its);
  const row = await ctx.db.query
    .selectFrom('case_pictures as p')
    .innerJoin('case_entries as e', 'e.id', 'p.entry_id')
    .select('p.file_key')
    .where('p.id', '=', id)
    .where('e.case_id', '=', caseId)
    .executeTakeFirst();
  if (!row) throw new AppError('NOT_FOUND');
  return openSealed(ctx, row.file_key, { name: `${id}.jpg`, type: 'image/jpeg' });
}
