import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { beforeIdSql } from '../../../platform/database/pagination.ts';
import { iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import * as texts from './texts.ts';

const CODE: SqlStatement = {
  name: 'affiliates-export-code',
  text: 'select code, created_at as "createdAt" from affiliate_codes where user_id = $1',
};
type ReferredUser = { id: string };
const LIST_REFERRED: SqlStatement = {
  name: 'affiliates-export-referred',
  text: `select r.referred_id as id, u.username, r.referred_type as type, r.status, r.invited_at as "invitedAt", r.approved_at as "approvedAt",
      r.ends_at as "endsAt" from referrals r join users u on u.id = r.referred_id
    where r.affiliate_id = $1 and ${beforeIdSql('r.referred_id', '$2')} order by r.referred_id desc limit $3`,
};
const FIND_OWN_REFERRAL: SqlStatement = {
  name: 'affiliates-export-own-referral',
  text: 'select status, invited_at as "invitedAt", ends_at as "endsAt" from referrals where referred_id = $1',
};

export function registerAffiliateExport(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'referral-code',
    title: texts.referralCode,
    description: texts.referralCodeExportDescription,
    entries: async function* ({ db }, { id }) {
      yield* await db.run<{ code: string }>(CODE, [id]);
      for (const ownReferral of await db.run<{ status: string }>(FIND_OWN_REFERRAL, [id]))
        yield { wasReferred: true, ...ownReferral };
    },
  });
  registerExportPart(ctx, {
    name: 'referrals',
    title: 'Referrals',
    description: texts.referralsExportDescription,
    entries: async function* ({ db }, { id }) {
      const rows = iteratePages<ReferredUser>((last, size) =>
        db.run<ReferredUser>(LIST_REFERRED, [id, last?.id ?? null, size]),
      );
      for await (const { id: _id, ...referral } of rows) yield referral;
    },
  });
}
