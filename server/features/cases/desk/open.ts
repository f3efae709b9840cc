import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { caseId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { openPersonCase } from '@stagedoor/contract/lookup.ts';
import type { openPostCase } from '@stagedoor/contract/lookup-things.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Actor } from '../../../kernel/session.ts';
import { noteAct } from '../../audit/index.ts';
import { requireReads } from '../access.ts';
import { hangProfile, withCopy } from '../profiles.ts';
import { type About, addEntry, findCase, openCase } from '../store.ts';
import { accessSubject, type Named } from '../subjects.ts';

type Opened = AnswerOf<typeof openPostCase>;

/** The case has no writer, so neither a refund nor a reply follows. */
export const THE_DESK = { id: null, name: 'staff', email: '' };

async function open(
  ctx: Context,
  actor: Actor,
  { named, ...wish }: { named: Named; subject: 'post' | 'profile'; subjectId: string; title: string; note: string },
  facts: Record<string, string>,
): Promise<Opened> {
  if (named.personId === actor.userId) throw new AppError('NOT_FOUND');
  const { subject, subjectId, title, note } = wish;
  const about: About = { subject, subjectId, personId: named.personId, snapshot: named.snapshot };
  return withCopy(ctx, subject === 'profile' ? named.personId : undefined, (copy) =>
    ctx.db.transaction(async (tx) => {
      const { row, isNew } = await openCase(ctx, tx, { kind: 'report', title, from: THE_DESK, about });
      await addEntry(ctx, tx, row.id, { kind: 'note', byId: actor.userId, body: note });
      const isHung = copy !== undefined && (await hangProfile(tx, row.id, copy));
      await noteAct(ctx, tx, {
        ...{ operatorId: actor.userId, act: 'case.open', subjectKind: 'case', subjectId: row.id },
        facts: { reference: row.reference, ...facts, isNew },
      });
      return { answer: { id: z.parse(caseId, row.id), reference: row.reference, isNew }, isHung };
    }),
  );
}

/** Opens a case about a post, or adds to its open report. Throws NOT_FOUND. */
export async function openForPost(ctx: Context, actor: Actor, postId: string, ground: string): Promise<Opened> {
  const named = await accessSubject(ctx, actor, { subject: 'post', id: postId });
  const title = `Post under review${named.title === '' ? '' : `: ${named.title}`}`;
  return open(ctx, actor, { named, subject: 'post', subjectId: postId, title, note: ground }, { post: postId, ground });
}

/** Opens a case about a user, or adds to their open report. Throws NOT_FOUND, also for operators. */
export async function openForPerson(
  ctx: Context,
  actor: Actor,
  personId: string,
  { ground, seenIn }: BodyOf<typeof openPersonCase>,
): Promise<Opened> {
  const named = await accessSubject(ctx, actor, { subject: 'profile', id: personId });
  const seen = seenIn === undefined ? undefined : await findCase(ctx.db, seenIn);
  if (seenIn !== undefined && !seen) throw new AppError('NOT_FOUND');
  if (seen) await requireReads(ctx.db, actor, seen);
  const title = `User under review: ${named.title}`;
  const note = seen ? `${ground}\n\nSeen in ${seen.reference}` : ground;
  const facts = { person: personId, ground, ...(seen && { seenIn: seen.reference }) };
  return open(ctx, actor, { named, subject: 'profile', subjectId: personId, title, note }, facts);
}
