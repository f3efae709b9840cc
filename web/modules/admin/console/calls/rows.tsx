import { adminCallPath } from '@stagedoor/contract/admin/addresses.ts';
import { listAdminCalls, stopCall } from '@stagedoor/contract/admin/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { isolateText } from '../../../../platform/bidi.ts';
import { formatDayTime, formatDuration, formatExactTime } from '../../../../platform/dates.ts';
import { pollWhileActive } from '../../../../platform/operator.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../../ui/expandable-row.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { Glyph } from '../../../../ui/rows.tsx';
import { EntryActions, PastDecisions } from '../entry-actions.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';
import * as texts from './texts.ts';

type AdminCall = ResponseOf<typeof listAdminCalls>['data'][number];
export const CALL_LIST_LABELS = { open: texts.ongoing, stopped: texts.endedByStaff } as const;
type CallList = keyof typeof CALL_LIST_LABELS;

const REFETCH_MS = 15_000;
export const adminCallsQuery = (state: CallList) => ({
  ...apiInfiniteQuery(listAdminCalls, { query: { state, limit: 30 } }),
  ...(state === 'open' && { refetchInterval: pollWhileActive(REFETCH_MS) }),
});

function getStateLabel({ isRunning, answeredAt, endedAt }: AdminCall): string {
  if (endedAt !== null) return texts.ended;
  if (isRunning) return texts.connected;
  return answeredAt === null ? texts.ringing : texts.notConnected;
}

function EndCallForm({ call }: { call: AdminCall }) {
  const stop = useAdminAction(stopCall, {
    invalidates: [listAdminCalls],
    successMessage: () => texts.callEndedNotice,
  });
  if (!stop.isAllowed) return null;
  return (
    <EntryActions
      actions={[
        {
          value: 'end',
          label: texts.endCall,
          shortcut: 'E',
          button: texts.endCall,
          note: texts.endCallConsequence,
        },
      ]}
      legend={texts.decide}
      reason={createReasonField(texts.reason, texts.internalNoteHint)}
      busy={stop.isPending}
      error={stop.error}
      onSubmit={(_, reason) => stop.send({ params: { id: call.callLogId }, body: { reason } })}
    />
  );
}

/** `now` is an ISO timestamp. */
export function CallRows({ calls, now }: { calls: readonly AdminCall[]; now: string }) {
  return (
    <ExpandableRows label={texts.calls}>
      {calls.map((call) => {
        const { callLogId, kind, fan, creator, createdAt, durationSeconds, amountPerMinute, held, amount, stopped } =
          call;
        return (
          <ExpandableRow
            key={callLogId}
            lead={<Glyph icon={kind === 'video' ? 'video' : 'phone'} />}
            title={formatText(texts.callBetween, {
              fanName: isolateText(fan.name),
              creatorName: isolateText(creator.name),
            })}
            sub={`${formatDayTime(createdAt, now)} · ${formatDuration(durationSeconds)}`}
            amount={formatUsd(amount)}
            status={getStateLabel(call)}
          >
            <DefinitionList
              items={[
                { name: 'Fan', value: `@${fan.username}` },
                { name: 'Creator', value: `@${creator.username}` },
                { name: 'Called', value: formatExactTime(createdAt) },
                { name: texts.connectedFor, value: formatDuration(durationSeconds) },
                { name: 'Price', value: `${formatUsd(amountPerMinute)} a minute` },
                { name: texts.onHold, value: formatUsd(held) },
                { name: call.endedAt === null ? texts.chargedIfEndedNow : 'Charged', value: formatUsd(amount) },
              ]}
            />
            <p className="pt-4">
              <UiLink href={adminCallPath(callLogId)} className="underline underline-offset-4">
                {texts.viewCall}
              </UiLink>
            </p>
            {stopped && <PastDecisions title={texts.reason} lines={[{ key: 'end', label: texts.ended, ...stopped }]} />}
            {call.endedAt === null && <EndCallForm call={call} />}
          </ExpandableRow>
        );
      })}
    </ExpandableRows>
  );
}
