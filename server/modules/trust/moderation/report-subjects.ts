import { describePostDetails } from '@stagedoor/contract/content/post-details.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ReportSubject } from '@stagedoor/contract/trust/case-kinds.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { isFree } from '../../content/entitlements/index.ts';
import { findAnyPost } from '../../content/posts/index.ts';
import { findUser } from '../../identity/accounts/index.ts';
import { findCall } from '../../messaging/calls/index.ts';
import { findAnyMessage } from '../../messaging/chat/index.ts';
import type { Snapshot } from './store.ts';
import * as texts from './texts.ts';

export type SubjectDetails = { title: string; userId: string; snapshot: Snapshot };
type FindSubject = (db: Executor, actor: Actor | undefined, id: string) => Promise<SubjectDetails | undefined>;

const MAX_EXCERPT = 2_000;
const toExcerpt = (text: string) => (text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text);
const toSnapshotEntry = (name: string, value: string) => (value === '' ? [] : [{ name, value: toExcerpt(value) }]);

/** Operators cannot be reported. */
const findProfileSubject: FindSubject = async (db, _actor, id) => {
  const user = await findUser(db, id);
  if (!user || user.type === 'operator') return undefined;
  return {
    title: `@${user.username}`,
    userId: user.id,
    snapshot: [...toSnapshotEntry('Name', user.name), ...toSnapshotEntry('Username', user.username)],
  };
};

/** Posts are visible to everyone, so deleted ones can be reported too. */
const findPostSubject: FindSubject = async (db, _actor, id) => {
  const post = await findAnyPost(db, id);
  if (!post) return undefined;
  return {
    title: post.caption.split('\n')[0]?.slice(0, 80) ?? '',
    userId: post.creator_id,
    snapshot: [
      ...toSnapshotEntry(
        'Kind',
        post.media_count === 1
          ? post.type
          : formatText(texts.postTypeWithFileCount, { type: post.type, count: post.media_count }),
      ),
      ...toSnapshotEntry('Posted', post.created_at.toISOString()),
      ...toSnapshotEntry('Price', isFree(post.price_cents) ? 'Free' : formatUsd(toUsd(post.price_cents))),
      ...toSnapshotEntry('Caption', post.caption),
      ...describePostDetails(post.details).flatMap(({ name, text }) => toSnapshotEntry(name, text)),
    ],
  };
};

/** A message can be reported by its two sides only, also after it was unsent. */
const findMessageSubject: FindSubject = async (db, actor, id) => {
  const message = await findAnyMessage(db, id);
  if (!message || (message.creator_id !== actor?.userId && message.fan_id !== actor?.userId)) return undefined;
  return {
    title: '',
    userId: message.is_from_creator ? message.creator_id : message.fan_id,
    snapshot: [
      ...toSnapshotEntry('Kind', message.type),
      ...toSnapshotEntry('Sent', message.created_at.toISOString()),
      ...toSnapshotEntry('Text', message.text),
    ],
  };
};

const findCallSubject: FindSubject = async (db, actor, id) => {
  const call = await findCall(db, id);
  const isCreator = call?.creatorId === actor?.userId;
  if (!call || (!isCreator && call.fanId !== actor?.userId) || (isCreator && call.isScreened)) return undefined;
  return {
    title: '',
    userId: isCreator ? call.fanId : call.creatorId,
    snapshot: [
      ...toSnapshotEntry('Kind', call.kind),
      ...toSnapshotEntry('Called', call.createdAt.toISOString()),
      ...toSnapshotEntry('Ended', call.endedAt?.toISOString() ?? ''),
    ],
  };
};

const FINDERS: Readonly<Record<ReportSubject, FindSubject>> = {
  profile: findProfileSubject,
  post: findPostSubject,
  message: findMessageSubject,
  call: findCallSubject,
};

/** Resolves reported content. Throws NOT_FOUND if the caller may not see it or it belongs to another user. */
export async function accessSubject(
  { db }: { db: Executor },
  actor: Actor | undefined,
  { subject, id, userId }: { subject: ReportSubject; id: string; userId?: string },
): Promise<SubjectDetails> {
  const unsafe = await FINDERS[subject](db, actor, id);
  if (!unsafe || (userId !== undefined && unsafe.userId !== userId)) throw new AppError('NOT_FOUND');
  return unsafe;
}
