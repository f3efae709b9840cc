import { adminVerificationPath } from '@stagedoor/contract/admin/addresses.ts';
import type { listVerifications } from '@stagedoor/contract/compliance/verification.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { isolateText } from '../../../../platform/bidi.ts';
import { formatDayTime, lowercaseDayWord } from '../../../../platform/dates.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { Deadline } from '../../../../ui/deadline.tsx';
import { Row, Rows } from '../../../../ui/rows.tsx';
import { toDeadline } from '../verification-labels.ts';
import * as texts from './texts.ts';

export type VerificationQueueItem = ResponseOf<typeof listVerifications>['data'][number];

/** `now` is an ISO timestamp. */
export function QueueRows({ rows, now }: { rows: readonly VerificationQueueItem[]; now: string }) {
  return (
    <Rows closed label={texts.verifications}>
      {rows.map(({ creator, status, submittedAt, answerBy, decidedAt }) => (
        <Row
          key={creator.id}
          href={adminVerificationPath(creator.id)}
          lead={<Avatar name={creator.name} />}
          title={creator.name}
          sub={[
            submittedAt && formatText(texts.sentAt, { time: lowercaseDayWord(formatDayTime(submittedAt, now)) }),
            `@${isolateText(creator.username)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
          end={
            status === 'submitted' && answerBy ? (
              <Deadline {...toDeadline(answerBy, now)} />
            ) : (
              decidedAt && <span className="num text-small text-muted">{formatDayTime(decidedAt, now)}</span>
            )
          }
        />
      ))}
    </Rows>
  );
}
