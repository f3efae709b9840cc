import type { Referral, Withdrawal } from '@stagedoor/contract/finance/affiliates.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatDay, formatDayTime } from '../../../platform/dates.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { AmountRow, Rows } from '../../../ui/rows.tsx';

export const REFERRAL_STATUS_LABELS: Readonly<Record<Referral['status'], string>> = {
  invited: 'Invited',
  underReview: 'Under review',
  approved: 'Approved',
};
export const REFERRED_TYPE_LABELS: Readonly<Record<Referral['referredType'], string>> = {
  creator: 'Creator',
  customer: 'Fan',
};
export const WITHDRAWAL_STATUS_LABELS: Readonly<Record<Withdrawal['status'], string>> = {
  requested: 'Requested',
  inreview: 'In review',
  approved: 'Approved',
  transfered: 'Transferred',
  rejected: 'Rejected',
  cancel: 'Canceled',
};
export const formatWithdrawalTitle = ({ type }: Pick<Withdrawal, 'type'>) =>
  type === 'balance' ? 'Moved to balance' : 'Payout';

function formatReferralTerm({ status, referredType, createdAt, endsAt, pr }: Referral, now: string): string {
  const share = pr === null ? '' : `${pr}% `;
  if (endsAt !== null) return `${endsAt > now ? 'Earns' : 'Earned'} ${share}until ${formatDay(endsAt, now)}`;
  if (referredType === 'customer') return `Joined ${formatDay(createdAt, now)}, no deposits yet`;
  return `Joined ${formatDay(createdAt, now)}, ${status === 'invited' ? 'not verified yet' : 'documents submitted'}`;
}

export function ReferralRows({ referrals, now }: { referrals: readonly Referral[]; now: string }) {
  return (
    <Rows label="Referrals" closed>
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
    <Rows label="Withdrawals" closed>
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
