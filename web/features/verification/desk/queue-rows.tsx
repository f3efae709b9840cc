import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { verificationCasePath } from '@stagedoor/contract/desk-addresses.ts';
import type { listVerifications } from '@stagedoor/contract/verification.ts';
import { isolated } from '../../../kernel/bidi.ts';
import { formatDayTime, withinSentence } from '../../../kernel/dates.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Clock } from '../../../ui/clock.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { clockOf } from '../words.ts';

export type Waiting = ResponseOf<typeof listVerifications>['data'][number];

/** `now` is an ISO timestamp. */
export function QueueRows({ rows, now }: { rows: readonly Waiting[]; now: string }) {
  return (
    <Rows closed label="Verifications">
      {rows.map(({ creator, status, submittedAt, answerBy, decidedAt }) => (
        <Row
          key={creator.id}
          href={verificationCasePath(creator.id)}
          lead={<Avatar name={creator.name} />}
          title={creator.name}
          sub={[
            submittedAt && `Sent ${withinSentence(formatDayTime(submittedAt, now))}`,
            `@${isolated(creator.username)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
          end={
            status === 'submitted' && answerBy ? (
              <Clock {...clockOf(answerBy, now)} />
            ) : (
              decidedAt && <span className="num text-small text-muted">{formatDayTime(decidedAt, now)}</span>
            )
          }
        />
      ))}
    </Rows>
  );
}
