import { adminPayoutPath } from '@stagedoor/contract/admin/addresses.ts';
import type { AdminPayout } from '@stagedoor/contract/admin/payouts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { joinIsolated } from '../../../../platform/bidi.ts';
import { formatDayTime } from '../../../../platform/dates.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { AmountRow, Rows } from '../../../../ui/rows.tsx';
import { formatPayoutStatus, RAIL_LABELS } from './payout-labels.ts';
import * as texts from './texts.ts';

/** `now` is an ISO timestamp. */
export function PayoutRows({ payouts, now }: { payouts: readonly AdminPayout[]; now: string }) {
  return (
    <Rows closed label={texts.payouts}>
      {payouts.map((payout) => {
        const { id, user, number, rail, amount, createdAt, approvals, approvalsNeeded, onHoldReason } = payout;
        const isPartlyApproved = approvals.length > 0 && approvals.length < approvalsNeeded;
        return (
          <AmountRow
            key={id}
            href={adminPayoutPath(id)}
            lead={<Avatar name={user.name} />}
            title={user.name}
            sub={joinIsolated(
              [
                onHoldReason ?? false,
                isPartlyApproved &&
                  formatText(texts.approvalsSoFar, { approvalCount: approvals.length, approvalsNeeded }),
                number,
                RAIL_LABELS[rail].name,
                formatDayTime(createdAt, now),
                `@${user.username}`,
              ],
              ' · ',
            )}
            amount={formatUsd(amount)}
            status={formatPayoutStatus(payout)}
          />
        );
      })}
    </Rows>
  );
}
