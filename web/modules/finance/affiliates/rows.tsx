import type { Referral, Withdrawal } from '@stagedoor/contract/finance/affiliates.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatDay, formatDayTime } from '../../../platform/dates.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { AmountRow, Rows } from '../../../ui/rows.tsx';
import * as texts from './texts.ts';

export const REFERRAL_STATUS_LABELS: Readonly<Record<Referral['status'], string>> = {
  invited: texts.invited,
  underReview: texts.underReview,
  approved: texts.approved,
};
export const REFERRED_TYPE_LABELS: Readonly<Record<Referral['referredType'], string>> = {
  creator: texts.creator,
  customer: texts.fan,
};
export const WITHDRAWAL_STATUS_LABELS: Readonly<Record<Withdrawal['status'], string>> = {
  requested: texts.requested,
  inreview: texts.inReview,
  approved: texts.approved,
  transfered: texts.transferred,
  rejected: texts.rejected,
  cancel: texts.canceled,
};
export const formatWithdrawalTitle = ({ type }: Pick<Withdrawal, 'type'>) =>
  type === 'balance' ? texts.movedToBalance : texts.payout;

function formatReferralTerm({ status, referredType, createdAt, endsAt, pr }: Referral, now: string): string {
  const share = pr === null ? '' : `${pr}% `;
  if (endsAt !== null)
    return formatText(texts.earningTerm, {
      verb: endsAt > now ? texts.earns : texts.earned,
      sharePercent: share,
      endsAt: formatDay(endsAt, now),
    });
  if (referredType === 'customer')
    return formatText(texts.joinedWithoutDeposits, { joinedAt: formatDay(createdAt, now) });
  return formatText(texts.joinedWithStatus, {
    joinedAt: formatDay(createdAt, now),
    status: status === 'invited' ? texts.notVerifiedYet : texts.documentsSubmitted,
  });
}

export function ReferralRows({ referrals, now }: { referrals: readonly Referral[]; now: string }) {
  return (
    <Rows label={texts.referrals} closed>
      {referrals.map((each) => (
        <AmountRow
          key={each.id}
          lead={<Avatar name={each.name} src={each.avatarUrl} />}
          title={each.name}
          sub={`${REFERRED_TYPE_LABELS[each.referredType]} · ${formatReferralTerm(each, now)}`}
          amount={formatUsd(each.totalEarnings, { sign: true })}
          status={REFERRAL_STATUS_LABELS[each.status]}
          href={each.href ?? undefined}
        />
      ))}
    </Rows>
  );
}

export function WithdrawalRows({
  withdrawals,
  now,
  toHref,
}: {
  withdrawals: readonly Withdrawal[];
  now: string;
  toHref: (id: string) => string;
}) {
  return (
    <Rows label={texts.withdrawals} closed>
      {withdrawals.map((each) => (
        <AmountRow
          key={each.id}
          icon={each.type === 'balance' ? 'wallet' : 'external'}
          title={formatWithdrawalTitle(each)}
          sub={formatDayTime(each.createdAt, now)}
          amount={formatUsd(each.amount)}
          status={WITHDRAWAL_STATUS_LABELS[each.status]}
          void={each.status === 'rejected' || each.status === 'cancel'}
          href={toHref(each.id)}
        />
      ))}
    </Rows>
  );
}
