import type { Context } from '../../../platform/context.ts';
import { findUser, listSessionsForExport } from '../accounts/index.ts';
import { registerExportPart } from './parts.ts';
import * as texts from './texts.ts';

export function registerOwnParts(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'account',
    title: 'Account',
    description: texts.accountExportDescription,
    entries: async function* ({ db }, { id }) {
      const user = await findUser(db, id);
      if (!user) return;
      yield {
        ...{ id, type: user.type, username: user.username, name: user.name, email: user.email },
        emailVerifiedAt: user.email_verified_at,
        isTwoFactorOn: user.two_factor_enabled_at !== null,
        createdAt: user.created_at,
        lastSeenAt: user.last_seen_at,
        onABreakUntil: user.break_until,
      };
    },
  });
  registerExportPart(ctx, {
    name: 'sessions',
    title: 'Devices',
    description: 'Where you’re logged in.',
    entries: async function* ({ db, clock }, { id }) {
      yield* await listSessionsForExport(db, id, clock.now());
    },
  });
}
