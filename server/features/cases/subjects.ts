import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { formatUsd, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Subject } from '@stagedoor/contract/case-kinds.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { findUser } from '../accounts/index.ts';
import { findCall } from '../calls/index.ts';
import { findAnyMessage } from '../chat/index.ts';
import { isFree } from '../entitlements/index.ts';
import { findAnyPost } from '../posts/index.ts';
import type { Snapshot } from './store.ts';

export type Named = { title: string; personId: string; snapshot: Snapshot };
type Find = (db: Executor, actor: Actor | undefined, id: string) => Promise<Named | undefined>;

const EXCERPT = 2_000;
const excerpt = (text: string) => (text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);
const fact = (name: string, value: string) => (value === '' ? [] : [{ name, value: excerpt(value) }]);

/** Operators cannot be reported. */
const findProfile: Find = async (db, _actor, id) => {
  const user = await findUser(db, id);
  if (!user || user.type === 'operator') return undefined;
  return {
    title: `@${user.username}`,
    personId: user.id,
    snapshot: [...fact('Name', user.name), ...fact('Username', user.username)],
  };
};

/** Posts are visible to everyone, so deleted ones can be reported too. */
const findPost: Find = async (db, _actor, id) => {
  const post = await findAnyPost(db, id);
  if (!post) return undefined;
  return {
    title: post.caption.split('\n')[0]?.slice(0, 80) ?? '',
    personId: post.creator_id,
    snapshot: [
      ...fact('Kind', post.media_count === 1 ? post.type : `${post.type}, ${post.media_count} files`),
      ...fact('Posted', post.created_at.toISOString()),
      ...fact('Price', isFree(post.price_cents) ? 'Free' : formatUsd(toUsd(post.price_cents))),
      ...fact('Caption', post.caption),
    ],
  };
};

/** A message can be reported by its two sides only, also after it was unsent. */
const findMessage: Find = async (db, actor, id) => {
  const message = await findAnyMessage(db, id);
  if (!message || (message.creator_id !== actor?.userId && message.fan_id !== actor?.userId)) return undefined;
  return {
    title: '',
    personId: message.is_from_creator ? message.creator_id : message.fan_id,
    snapshot: [
      ...fact('Kind', message.type),
      ...fact('Sent', message.created_at.toISOString()),
      ...fact('Text', message.text),
    ],
  };
};

const findTheCall: Find = async (db, actor, id) => {
  const call = await findCall(db, id);
  const isCreator = call?.creatorId === actor?.userId;
  if (!call || (!isCreator && call.fanId !== actor?.userId) || (isCreator && call.isScreened)) return undefined;
  return {
    title: '',
    personId: isCreator ? call.fanId : call.creatorId,
    snapshot: [
      ...fact('Kind', call.kind),
      ...fact('Called', call.createdAt.toISOString()),
      ...fact('Ended', call.endedAt?.toISOString() ?? ''),
    ],
  };
};

const FINDERS: Readonly<Record<Subject, Find>> = {
  profile: findProfile,
  post: findPost,
  message: findMessage,
  call: findTheCall,
};

/** Resolves reported content. Throws NOT_FOUND if the caller may not see it or it belongs to another user. */
export async function accessSubject(
  { db }: { db: Executor },
  actor: Actor | undefined,
  { subject, id, personId }: { subject: Subject; id: string; personId?: string },
): Promise<Named> {
  const unsafe = await FINDERS[subject](db, actor, id);
  if (!unsafe || (personId !== undefined && unsafe.personId !== personId)) throw new AppError('NOT_FOUND');
  return unsafe;
}
