/** Each address in a notice is a separate case. */

import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { CASE_LIMITS, COPYRIGHT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { REPORT_SUBJECT_LABELS, type ReportSubject } from '@stagedoor/contract/trust/case-kinds.ts';
import type { submitCopyrightNotice } from '@stagedoor/contract/trust/copyright.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findUserByName } from '../../identity/accounts/index.ts';
import {
  accessSubject,
  addEntry,
  countMessage,
  openCase,
  type SubjectDetails,
  updateCase,
} from '../moderation/index.ts';
import { createNoticeMail } from './mails.ts';
import { countNotices, findRepeatedNotice, lockClaimant } from './store.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;

type NoticeTarget = SubjectDetails & { address: string; subject: ReportSubject; subjectId: string };
type CopyrightNoticeBody = BodyOf<typeof submitCopyrightNotice>;

const createAddressError = (address: string, problem: string) =>
  createFieldError('urls', `“${address.slice(0, 80)}” ${problem}`);

function toPathname(address: string, publicUrl: string): string {
  if (address.length > CASE_LIMITS.contentLocationLength) throw createAddressError(address, 'is too long.');
  const url = URL.parse(address, publicUrl);
  if (!url || url.host !== new URL(publicUrl).host) throw createAddressError(address, 'isn’t a Stagedoor link.');
  return url.pathname;
}

/** Finds a post, even a removed one, or a profile by its URL. Throws VALIDATION. */
async function findTarget(ctx: Context, address: string): Promise<NoticeTarget> {
  const [, kind, name = ''] = /^\/(post|profile)\/([^/]+)\/?$/.exec(toPathname(address, ctx.config.publicUrl)) ?? [];
  if (kind === undefined) throw createAddressError(address, 'isn’t a link to a post or profile.');
  const user = kind === 'profile' && !isId(name) ? await findUserByName(ctx.db, name) : undefined;
  const subject = kind === 'post' ? 'post' : 'profile';
  const id = user?.id ?? name;
  try {
    if (!isId(id)) throw new AppError('NOT_FOUND');
    return { address, subject, subjectId: id, ...(await accessSubject(ctx, undefined, { subject, id })) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    throw createAddressError(
      address,
      formatText(texts.linkSubjectMismatch, { subject: REPORT_SUBJECT_LABELS[subject] }),
    );
  }
}

async function findTargets(ctx: Context, text: string): Promise<NoticeTarget[]> {
  const addresses = [...new Set(text.split(/\s+/).filter(Boolean))];
  if (addresses.length > COPYRIGHT_LIMITS.urls)
    throw createFieldError('urls', formatText(texts.linksPerNoticeLimit, { max: COPYRIGHT_LIMITS.urls }));
  const targets: NoticeTarget[] = [];
  for (const address of addresses) {
    const target = await findTarget(ctx, address);
    if (!targets.some(({ subjectId }) => subjectId === target.subjectId)) targets.push(target);
  }
  return targets;
}

type RepeatedNotice = NonNullable<Awaited<ReturnType<typeof findRepeatedNotice>>>;

/** Runs when the same account sends the same notice again. A case that waited for the claimant is reopened. */
async function updateRepeatedNotice(
  ctx: Context,
  tx: DbTransaction,
  { id, state, byId }: RepeatedNotice & { byId: string },
  sender: Pick<CopyrightNoticeBody, 'name' | 'signature' | 'address' | 'telephone'>,
): Promise<void> {
  await tx.query.updateTable('copyright_notices').set(sender).where('case_id', '=', id).execute();
  if (state !== 'waiting') return;
  const body = texts.noticeResentEntry;
  await addEntry(ctx, tx, id, { kind: 'message', byId, body });
  await updateCase(tx, id, { state: 'open', changed_at: ctx.clock.now() });
}

async function openNoticeCase(
  ctx: Context,
  tx: DbTransaction,
  actor: Actor | undefined,
  { body, target, noticeId }: { body: CopyrightNoticeBody; target: NoticeTarget; noticeId: string },
) {
  const { name, email, work, signature, address, telephone } = body;
  const { subject, subjectId, userId, snapshot, title: subjectTitle } = target;
  const repeated = actor && (await findRepeatedNotice(tx, { fromId: actor.userId, email, url: target.address, work }));
  if (repeated) {
    await updateRepeatedNotice(ctx, tx, { ...repeated, byId: actor.userId }, { name, signature, address, telephone });
    return { ...repeated, url: target.address, isNew: false };
  }
  const { row } = await openCase(ctx, tx, {
    kind: 'copyright',
    title: formatText(texts.copyrightNoticeCaseTitle, {
      subject: REPORT_SUBJECT_LABELS[subject],
      titleSuffix: subjectTitle === '' ? '' : `: ${subjectTitle}`,
    }),
    from: { id: actor?.userId ?? null, name, email },
    about: { subject, subjectId, userId, snapshot },
    contentAddress: target.address,
  });
  await addEntry(ctx, tx, row.id, { kind: 'message', byId: actor?.userId ?? null, body: work });
  const notice = { name, email, signature, address, telephone };
  await tx.query
    .insertInto('copyright_notices')
    .values({ case_id: row.id, notice_id: noticeId, at: row.opened_at, ...notice })
    .execute();
  return { reference: row.reference, due_at: row.due_at, url: target.address, isNew: true };
}

/**
 * Stores a notice. If the same account repeats an open one, the same numbers are returned. Without an account each
 * notice is separate. Throws VALIDATION for addresses that match no content, RATE_LIMITED.
 */
export async function acceptNotice(
  ctx: Context,
  actor: Actor | undefined,
  body: CopyrightNoticeBody,
  network: string,
): Promise<ResponseInputOf<typeof submitCopyrightNotice>> {
  await countMessage(ctx, { id: actor?.userId, network });
  const targets = await findTargets(ctx, body.urls);
  const noticeId = createId(ctx.clock);
  const noticeCases = await ctx.db.transaction(async (tx) => {
    await lockClaimant(tx, body.email);
    const since = new Date(ctx.clock.now().getTime() - DAY_MS);
    const hasReceipts = (await countNotices(tx, body.email, since)) >= CASE_LIMITS.receiptsPerDay;
    const cases = [];
    for (const target of targets) cases.push(await openNoticeCase(ctx, tx, actor, { body, target, noticeId }));
    const newCases = cases.filter(({ isNew }) => isNew);
    const [first] = newCases;
    if (first && !hasReceipts)
      await ctx.mailer.send(tx, createNoticeMail(body.email, newCases, first.due_at, ctx.config.publicUrl));
    return cases;
  });
  const [first] = noticeCases;
  if (!first) throw createFieldError('urls', texts.enterAtLeastOneLink);
  const message = formatText(texts.noticeReceipt, {
    references: noticeCases.map(({ reference }) => reference).join(', '),
  });
  const cases = noticeCases.map(({ reference, url }) => ({ reference, url }));
  return { success: true, message, answerBy: first.due_at.toISOString(), cases };
}
