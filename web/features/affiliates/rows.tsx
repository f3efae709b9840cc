import type { Referral, Withdrawal } from '@stagedoor/contract/affiliates.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { formatDay, formatDayTime } from '../../kernel/dates.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { AmountRow, Rows } from '../../ui/rows.tsx';

export const REFERRAL_WORDS: Readonly<Record<Referral['status'], string>> = {
  invited: 'Invited',
  underReview: 'Under review',
  approved: 'Approved',
};
export const TYPE_WORDS: Readonly<Record<Referral['referredType'], string>> = {
  creator: 'Creator',
  customer: 'Fan',
};
export const WITHDRAWAL_WORDS: Readonly<Record<Withdrawal['status'], string>> = {
  requested: 'Requested',
  inreview: 'In review',
  approved: 'Approved',
  transfered: 'Transferred',
  rejected: 'Rejected',
  cancel: 'Canceled',
};
export const withdrawalTitle = ({ type }: Pick<Withdrawal, 'type'>) =>
  type === 'balance' ? 'Moved to balance' : 'Payout';

function since({ status, referredType, createdAt, endsAt, pr }: Referral, now: string): string {
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
          sub={`${TYPE_WORDS[each.referredType]} · ${since(each, now)}`}
          amount={formatUsd(each.totalEarnings, { sign: true })}
          word={REFERRAL_WORDS[each.status]}
          href={each.href ?? undefined}
        />
      ))}
    </Rows>
  );
}

export function WithdrawalRows({
  withdrawals,
  now,
  hrefOf,
}: {
  withdrawals: readonly Withdrawal[];
  now: string;
  hrefOf: (id: string) => string;
}) {
  return (
    <Rows label="Withdrawals" closed>
      {withdrawals.map((each) => (
        <AmountRow
          key={each.id}
          icon={each.type === 'balance' ? 'wallet' : 'external'}
          title={withdrawalTitle(each)}
          sub={formatDayTime(each.createdAt, now)}
          amount={formatUsd(each.amount)}
          word={WITHDRAWAL_WORDS[each.status]}
          void={each.status === 'rejected' || each.status === 'cancel'}
          href={hrefOf(each.id)}
        />
      ))}
    </Rows>
  );
}
