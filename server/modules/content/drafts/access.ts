/** The only way to load a draft for an actor. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import * as store from './store.ts';

function requireOwnDraft(unsafeDraft: store.DraftRow | undefined, actor: Actor): store.DraftRow {
  if (unsafeDraft?.creator_id !== actor.userId) throw new AppError('NOT_FOUND');
  return unsafeDraft;
}

/** Throws NOT_FOUND. */
export async function accessDraft(db: Executor, actor: Actor, id: string): Promise<store.DraftRow> {
  return requireOwnDraft(await store.findDraft(db, id), actor);
}

/** Locks the draft until the transaction ends. Throws NOT_FOUND. */
export async function lockOwnDraft(tx: DbTransaction, actor: Actor, id: string): Promise<store.DraftRow> {
  return requireOwnDraft(await store.lockDraft(tx, id), actor);
}
