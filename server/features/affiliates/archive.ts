import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { beforeId } from '../../kernel/offset.ts';
import { inPages, registerArchivePart } from '../archive/index.ts';

const CODE: Statement = {
  name: 'affiliates-archive-code',
  text: 'select code, created_at as "madeAt" from affiliate_codes where user_id = $1',
};
type Brought = { id: string };
const BROUGHT: Statement = {
  name: 'affiliates-archive-brought',
  text: `select r.referred_id as id, u.username, r.referred_type as type, r.status, r.invited_at as "invitedAt", r.approved_at as "approvedAt",
      r.ends_at as "endsAt" from referrals r join users u on u.id = r.referred_id
    where r.affiliate_id = $1 and ${beforeId('r.referred_id', '$2')} order by r.referred_id desc limit $3`,
};
const CAME: Statement = {
  name: 'affiliates-archive-came',
  text: 'select status, invited_at as "invitedAt", ends_at as "endsAt" from referrals where referred_id = $1',
};

export function registerAffiliateParts(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'referral-code',
    title: 'Referral code',
    lead: 'Your referral code, and until when the person who invited you earns commission.',
    entries: async function* ({ db }, { id }) {
      yield* await db.run<{ code: string }>(CODE, [id]);
      for (const came of await db.run<{ status: string }>(CAME, [id])) yield { youCameByACode: true, ...came };
    },
  });
  registerArchivePart(ctx, {
    name: 'referrals',
    title: 'Referrals',
    lead: 'People you invited, and until when you earn commission from them.',
    entries: async function* ({ db }, { id }) {
      const rows = inPages<Brought>((last, size) => db.run<Brought>(BROUGHT, [id, last?.id ?? null, size]));
      for await (const { id: _id, ...brought } of rows) yield brought;
    },
  });
}
