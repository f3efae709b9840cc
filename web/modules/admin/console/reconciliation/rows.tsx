import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import {
  ALARM_COMPARISONS,
  type Comparison,
  type DIFFERENCE_STATES,
  explainDifference,
  listDifferences,
} from '@stagedoor/contract/admin/reconciliation.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { formatDayTime, formatExactTime, lowercaseDayWord } from '../../../../platform/dates.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../../ui/expandable-row.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { UiLink } from '../../../../ui/link.tsx';
import { Glyph } from '../../../../ui/rows.tsx';
import { EntryActions, PastDecisions } from '../entry-actions.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';
import * as texts from './texts.ts';

type Difference = ResponseOf<typeof listDifferences>['data'][number];
type DifferenceState = (typeof DIFFERENCE_STATES)[number];

export const DIFFERENCE_STATE_LABELS: Readonly<Record<DifferenceState, string>> = {
  open: texts.open,
  explained: texts.explained,
  resolved: texts.resolved,
};
const COMPARISON_LABELS: Readonly<Record<Comparison, string>> = {
  sums: texts.ledgerBalances,
  orders: texts.ordersAndLedger,
  processor: texts.processorExport,
  log: texts.transparencyLog,
};

export const differencesQuery = (state: DifferenceState) =>
  apiInfiniteQuery(listDifferences, { query: { state, limit: 30 } });

const formatOptionalUsd = (usd: number | null) => (usd === null ? 'None' : formatUsd(usd));

function ExplainForm({ difference }: { difference: Difference }) {
  const explain = useAdminAction(explainDifference, {
    invalidates: [listDifferences],
    successMessage: () => texts.differenceExplained,
  });
  if (!explain.isAllowed) return null;
  return (
    <EntryActions
      actions={[
        {
          value: 'explain',
          label: texts.explain,
          shortcut: 'X',
          button: texts.explain,
          note: texts.reopensHint,
        },
      ]}
      legend={texts.decide}
      reason={createReasonField(texts.explanation, texts.internalNote)}
      busy={explain.isPending}
      error={explain.error}
      onSubmit={(_, reason) => explain.send({ params: { id: difference.id }, body: { reason } })}
    />
  );
}

/** These differences cannot be explained away, because that would hide a broken ledger. */
const isAlarm = (comparison: Comparison) => ALARM_COMPARISONS.some((one) => one === comparison);
const AlarmNotice = () => (
  <p className="max-w-120 pt-5 text-small">
    {formatNodes(texts.alarmNotice, {
      link: (
        <UiLink href={ADMIN_PATHS.adminAlarms} className="underline underline-offset-4">
          {texts.alertLink}
        </UiLink>
      ),
    })}
  </p>
);

/** `now` is an ISO timestamp. */
export function DifferenceRows({ differences, now }: { differences: readonly Difference[]; now: string }) {
  return (
    <ExpandableRows label={texts.discrepancies}>
      {differences.map((difference) => {
        const {
          id,
          label,
          comparison,
          key,
          theirs,
          ours,
          details,
          state,
          openedAt,
          lastSeenAt,
          occurredAt,
          explanations,
        } = difference;
        return (
          <ExpandableRow
            key={id}
            lead={<Glyph icon="warning" />}
            title={label}
            sub={formatText(texts.comparisonSince, {
              comparison: COMPARISON_LABELS[comparison],
              openedAt: lowercaseDayWord(formatDayTime(openedAt, now)),
            })}
            amount={
              theirs === null && ours === null
                ? '–'
                : formatUsd(Math.round(((ours ?? 0) - (theirs ?? 0)) * 100) / 100, { sign: true })
            }
            status={DIFFERENCE_STATE_LABELS[state]}
          >
            <DefinitionList
              items={[
                { name: 'Item', value: <span className="wrap-anywhere">{key}</span> },
                ...(occurredAt === null ? [] : [{ name: 'Date', value: formatExactTime(occurredAt) }]),
                { name: texts.externalAmount, value: formatOptionalUsd(theirs) },
                { name: texts.ourAmount, value: formatOptionalUsd(ours) },
                { name: texts.lastSeen, value: formatExactTime(lastSeenAt) },
                ...Object.entries(details).map(([name, value]) => ({
                  name: name.charAt(0).toUpperCase() + name.slice(1),
                  value: <span className="wrap-anywhere">{value}</span>,
                })),
              ]}
            />
            <PastDecisions
              title={texts.previousExplanations}
              lines={explanations.map(({ reason, explainedAt, operator }) => ({
                key: explainedAt,
                label: formatExactTime(explainedAt),
                operator,
                reason,
              }))}
            />
            {state === 'open' && (isAlarm(comparison) ? <AlarmNotice /> : <ExplainForm difference={difference} />)}
          </ExpandableRow>
        );
      })}
    </ExpandableRows>
  );
}
