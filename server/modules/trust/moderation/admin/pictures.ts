import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FileResponse } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { requireReadAccess } from '../access.ts';
import { openEncryptedFile } from '../evidence-files.ts';
import { findCase } from '../store.ts';

/** Opens a picture for operators who may read its case. Throws NOT_FOUND. */
export async function openCasePicture(ctx: Context, actor: Actor, caseId: string, id: string): Promise<FileResponse> {
  const caseRow = await findCase(ctx.db, caseId);
  if (!caseRow) throw new AppError('NOT_FOUND');
  await requireReadAccess(ctx.db, actor, caseRow);
  const row = await ctx.db.query
    .selectFrom('case_pictures as p')
    .innerJoin('case_entries as e', 'e.id', 'p.entry_id')
    .select('p.file_key')
    .where('p.id', '=', id)
    .where('e.case_id', '=', caseId)
    .executeTakeFirst();
  if (!row) throw new AppError('NOT_FOUND');
  return openEncryptedFile(ctx, row.file_key, { name: `${id}.jpg`, type: 'image/jpeg' });
}
