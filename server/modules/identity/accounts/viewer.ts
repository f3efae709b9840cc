import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import type { Context } from '../../../platform/context.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { getWalletBalance } from '../../ledger/ledger/index.ts';
import { accessOwnAccount } from './access.ts';
import { presentViewer } from './present.ts';
import { findUserById } from './store.ts';

const NO_WALLET = { balanceCents: 0, balanceLine: 0 };

/** Throws UNAUTHORIZED if the account is gone, account_blocked if it was blocked meanwhile. */
export async function getViewer(ctx: Pick<Context, 'db'>, actor: Actor): Promise<Viewer> {
  const user = await accessOwnAccount(ctx.db, actor);
  const balance = user.type === 'customer' ? await getWalletBalance(ctx.db, user.id) : NO_WALLET;
  const viewer = presentViewer(user, balance);
  if (!actor.member) return viewer;
  const { userId, rights } = actor.member;
  const member = await findUserById(ctx.db, userId);
  return {
    ...viewer,
    email: '',
    isTwoFactorEnabled: false,
    delegation: { name: member?.name ?? '', rights: [...rights] },
  };
}
