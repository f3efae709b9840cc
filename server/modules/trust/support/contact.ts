/** A message from a blocked user becomes an appeal (row J1). */

import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { formatContactReceipt, REPORT_SUBJECT_LABELS } from '@stagedoor/contract/trust/case-kinds.ts';
import type { contactAdmin, submitComplaint } from '@stagedoor/contract/trust/support.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import type { PictureForm } from '../../content/media/index.ts';
import { findBlockedUserByProof, findUserByName, requireUser } from '../../identity/accounts/index.ts';
import {
  accessSubject,
  addEntry,
  addMessage,
  appealBlock,
  type CaseSubject,
  countMessage,
  NO_SUBJECT,
  openCase,
  type StoredPicture,
  storeCasePicture,
} from '../moderation/index.ts';
import { createComplaintMail } from './mails.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;

type ContactResponse = ResponseInputOf<typeof contactAdmin>;

/**
 * A message from a blocked user becomes an appeal, which is proven only with the proof from log-in. Throws NOT_FOUND
 * for a picture that is not the user's.
 */
export async function submitContactMessage(
  ctx: Context,
  actor: Actor | undefined,
  { name, email, details, proof, pictures }: BodyOf<typeof contactAdmin>,
  network: string,
): Promise<ContactResponse> {
  const verifiedUser = actor
    ? await requireUser(ctx.db, actor.userId)
    : proof === undefined
      ? undefined
      : await findBlockedUserByProof(ctx, proof);
  await countMessage(ctx, { id: verifiedUser?.id, network });
  const writer = verifiedUser ?? (await findUserByName(ctx.db, email));
  const from = { id: verifiedUser?.id ?? null, name, email };
  const reference = await ctx.db.transaction(async (tx) => {
    const appeal = writer?.is_blocked
      ? await appealBlock(ctx, tx, writer.id, { from, message: details, pictures })
      : undefined;
    if (appeal) return appeal.reference;
    const title = formatText(texts.messageCaseTitle, { name });
    const { row } = await openCase(ctx, tx, { kind: 'contact', title, from, about: NO_SUBJECT });
    await addMessage(ctx, tx, row.id, { byId: from.id, message: details, pictures });
    return row.reference;
  });
  return { success: true, reference, message: formatContactReceipt(reference) };
}

/** Stores a picture of a blocked user. Throws FORBIDDEN without a valid proof, before the picture is processed. */
export async function storeBlockedUserPicture(ctx: Context, { file, fields }: PictureForm): Promise<StoredPicture> {
  const owner = await findBlockedUserByProof(ctx, fields.get('proof') ?? '');
  if (!owner) throw new AppError('FORBIDDEN', { message: texts.logInToAttachPhotos });
  return storeCasePicture(ctx, owner.id, file);
}

async function findContentAt(ctx: Context, url: string): Promise<CaseSubject & { title: string }> {
  const [, post, username] = /\/post\/([0-9a-f-]{36})|\/profile\/([A-Za-z0-9._]{6,20})/.exec(url) ?? [];
  try {
    if (post !== undefined && isId(post)) {
      const details = await accessSubject(ctx, undefined, { subject: 'post', id: post });
      return { subject: 'post', subjectId: post, ...details };
    }
    const user = username === undefined ? undefined : await findUserByName(ctx.db, username);
    if (user) {
      const details = await accessSubject(ctx, undefined, { subject: 'profile', id: user.id });
      return { subject: 'profile', subjectId: user.id, ...details };
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return { ...NO_SUBJECT, title: '' };
}

/** Receipts per address are limited, because anyone can enter any address. */
async function hasReachedReceiptLimit(ctx: Context, tx: DbTransaction, email: string): Promise<boolean> {
  const { count } = await tx.query
    .selectFrom('cases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('from_email', '=', email)
    .where('from_email', '<>', '')
    .where('kind', '=', 'complaint')
    .where('opened_at', '>', new Date(ctx.clock.now().getTime() - DAY_MS))
    .executeTakeFirstOrThrow();
  return count >= CASE_LIMITS.receiptsPerDay;
}

/** Stores a complaint and mails a receipt, at most a few times a day per address. Throws RATE_LIMITED. */
export async function storeComplaint(
  ctx: Context,
  actor: Actor | undefined,
  { name, email, where, details }: BodyOf<typeof submitComplaint>,
  network: string,
): Promise<ResponseInputOf<typeof submitComplaint>> {
  await countMessage(ctx, { id: actor?.userId, network });
  const { title: contentTitle, ...about } = await findContentAt(ctx, where);
  const subjectText =
    about.subject === null ? '' : formatText(texts.complaintSubject, { subject: REPORT_SUBJECT_LABELS[about.subject] });
  const title = `Complaint${subjectText}${contentTitle === '' ? '' : `: ${contentTitle}`}`;
  const from = { id: actor?.userId ?? null, name, email };
  const row = await ctx.db.transaction(async (tx) => {
    const isOverLimit = await hasReachedReceiptLimit(ctx, tx, email);
    const { row: opened } = await openCase(ctx, tx, { kind: 'complaint', title, from, about, contentAddress: where });
    await addEntry(ctx, tx, opened.id, { kind: 'message', byId: from.id, body: details });
    if (!isOverLimit) await ctx.mailer.send(tx, createComplaintMail(opened, ctx.config.publicUrl));
    return opened;
  });
  const { reference } = row;
  const message = formatText(texts.complaintReceipt, { reference });
  return { success: true, reference, message, answerBy: row.due_at.toISOString() };
}
