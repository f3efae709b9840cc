import type { Context } from '../../kernel/context.ts';
import { findUser, sessionsOf } from '../accounts/index.ts';
import { registerArchivePart } from './parts.ts';

export function registerOwnParts(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'account',
    title: 'Account',
    lead: 'Your account details.',
    entries: async function* ({ db }, { id }) {
      const user = await findUser(db, id);
      if (!user) return;
      yield {
        ...{ id, type: user.type, username: user.username, name: user.name, email: user.email },
        emailVerifiedAt: user.email_verified_at,
        isTwoFactorOn: user.two_factor_enabled_at !== null,
        createdAt: user.created_at,
        lastSeenAt: user.last_seen_at,
        onABreakUntil: user.away_until,
      };
    },
  });
  registerArchivePart(ctx, {
    name: 'sessions',
    title: 'Devices',
    lead: 'Where you’re logged in.',
    entries: async function* ({ db, clock }, { id }) {
      yield* await sessionsOf(db, id, clock.now());
    },
  });
}
