import { callReceiptPath, PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery } from '@tanstack/react-query';
import { Avatar } from '../../../ui/avatar.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { formatCallLog } from './call-labels.ts';
import { CallTime } from './call-time.tsx';
import { openCallCheck } from './open-call.ts';
import * as texts from './texts.ts';
import { listUnansweredCalls, recentCallsQuery } from './unanswered.ts';

export function UnansweredCalls({ now }: { now: string }) {
  const calls = listUnansweredCalls(useQuery(recentCallsQuery()).data?.data ?? [], now);
  if (calls.length === 0) return null;
  return (
    <section aria-labelledby="unanswered">
      <SectionHead
        id="unanswered"
        title={texts.missedCalls}
        href={`${PATHS.fanChat}?tab=callHistoryList`}
        end={texts.allCalls}
      />
      <Rows>
        {calls.map((log) => (
          <Row
            key={log.callLogId}
            lead={<Avatar name={log.other.name} src={log.other.avatarUrl} />}
            title={log.other.name}
            sub={
              <>
                {formatCallLog(log)} · <CallTime at={log.createdAt} now={now} />
              </>
            }
            href={callReceiptPath('fan', log.callLogId)}
            end={
              <IconButton
                icon={log.kind === 'video' ? 'video' : 'phone'}
                label={formatText(texts.callUserAgain, { name: log.other.name })}
                onClick={() => void openCallCheck(log.other, log.kind)}
              />
            }
          />
        ))}
      </Rows>
    </section>
  );
}
