/** A case that an operator opens by themself, about something they came upon: decided by the same acts as what people report. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { caseId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { openPostCase } from '@stagedoor/contract/lookup-things.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Actor } from '../../../kernel/session.ts';
import { noteAct } from '../../audit/index.ts';
import { addEntry, openCase } from '../store.ts';
import { accessSubject } from '../subjects.ts';

/** Nobody wrote it: no refund and no answer follows from it. */
const THE_DESK = { id: null, name: 'the desk', email: '' };

/** Opens one about a post, or adds to the open report of it. Throws NOT_FOUND. */
export async function openForPost(
  ctx: Context,
  actor: Actor,
  postId: string,
  ground: string,
): Promise<AnswerOf<typeof openPostCase>> {
  const named = await accessSubject(ctx, actor, { subject: 'post', id: postId });
  if (named.personId === actor.userId) throw new AppError('NOT_FOUND');
  const about = { subject: 'post' as const, subjectId: postId, personId: named.personId, snapshot: named.snapshot };
  const title = `Post looked at${named.title === '' ? '' : `: ${named.title}`}`;
  return ctx.db.transaction(async (tx) => {
    const { row, isNew } = await openCase(ctx, tx, { kind: 'report', title, from: THE_DESK, about });
    await addEntry(ctx, tx, row.id, { kind: 'note', byId: actor.userId, body: ground });
    await noteAct(ctx, tx, {
      ...{ operatorId: actor.userId, act: 'case.open', subjectKind: 'case', subjectId: row.id },
      facts: { reference: row.reference, post: postId, ground, isNew },
    });
    return { id: z.parse(caseId, row.id), reference: row.reference, isNew };
  });
}
