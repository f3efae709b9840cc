import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { payoutCasePath } from '@stagedoor/contract/desk-addresses.ts';
import type { DeskPayout } from '@stagedoor/contract/payout-desk.ts';
import { isolatedParts } from '../../../kernel/bidi.ts';
import { formatDayTime } from '../../../kernel/dates.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { AmountRow, Rows } from '../../../ui/rows.tsx';
import { RAIL_WORDS, standingOf } from './words.ts';

/** `now` is an ISO timestamp. */
export function PayoutRows({ payouts, now }: { payouts: readonly DeskPayout[]; now: string }) {
  return (
    <Rows closed label="Payouts">
      {payouts.map((payout) => {
        const { id, person, number, rail, amount, createdAt, approvals, approvalsNeeded, heldBack } = payout;
        const isBetween = approvals.length > 0 && approvals.length < approvalsNeeded;
        return (
          <AmountRow
            key={id}
            href={payoutCasePath(id)}
            lead={<Avatar name={person.name} />}
            title={person.name}
            sub={isolatedParts(
              [
                heldBack ?? false,
                isBetween && `${approvals.length} of ${approvalsNeeded} approvals`,
                number,
                RAIL_WORDS[rail].name,
                formatDayTime(createdAt, now),
                `@${person.username}`,
              ],
              ' · ',
            )}
            amount={formatUsd(amount)}
            word={standingOf(payout)}
          />
        );
      })}
    </Rows>
  );
}
