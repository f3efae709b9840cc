import type { Session, UserType, Viewer } from '@stagedoor/contract/identity/accounts.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import { toDepositBalance } from '@stagedoor/contract/shared/money.ts';
import type { Actor } from '../../../platform/security/session.ts';
import type { SessionRow, User } from './store.ts';

export type UserSummary = { id: UserId; type: UserType; username: string; name: string; avatarUrl: string | null };

const AVATAR_WIDTH = 384;

/** The URL is public, and browsers cache it permanently. */
export function toAvatarUrl(key: string | null): string | null {
  return key === null ? null : `/media/public/${key}/${AVATAR_WIDTH}.webp`;
}

export function presentUserSummary(row: Pick<User, 'id' | 'type' | 'username' | 'name' | 'avatar_key'>): UserSummary {
  return { id: row.id, type: row.type, username: row.username, name: row.name, avatarUrl: toAvatarUrl(row.avatar_key) };
}

export function presentViewer(user: User, wallet: Parameters<typeof toDepositBalance>[0]): Viewer {
  return {
    ...presentUserSummary(user),
    email: user.email,
    ...toDepositBalance(wallet),
    isEmailVerified: user.email_verified_at !== null,
    isTwoFactorEnabled: user.two_factor_enabled_at !== null,
  };
}

export function presentSession(row: SessionRow, actor: Actor): Session {
  return {
    id: row.id,
    device: row.device,
    displayMode: row.display_mode === 'standalone' ? 'standalone' : 'browser',
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    isCurrent: row.id === actor.sessionId,
  };
}
