import { listCardCancellations } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { isolateText } from '../../../../platform/bidi.ts';
import { formatCount, formatDayTime, formatExactTime } from '../../../../platform/dates.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../../ui/expandable-row.tsx';
import { Glyph } from '../../../../ui/rows.tsx';
import * as texts from './texts.ts';

type CardCancellation = ResponseOf<typeof listCardCancellations>['data'][number];

export const cardCancellationsQuery = () => apiQuery(listCardCancellations, {});

/** Cards of canceled subscriptions that the processor may still charge. `now` is an ISO timestamp. */
export function CardCancellationRows({ rows, now }: { rows: readonly CardCancellation[]; now: string }) {
  return (
    <section className="pb-8">
      <h2 className="h3">{texts.unconfirmedCancellations}</h2>
      <p className="pb-3 text-small text-muted">{texts.unconfirmedHint}</p>
      <ExpandableRows label={texts.unconfirmedCancellations}>
        {rows.map(({ id, fan, subscriptionId, amount, requestedAt, attempts, attemptedAt, problem }) => (
          <ExpandableRow
            key={id}
            lead={<Glyph icon="card" />}
            title={subscriptionId}
            sub={[formatDayTime(requestedAt, now), fan && isolateText(fan.name)].filter(Boolean).join(' · ')}
            amount={formatUsd(amount)}
            status={formatCount(attempts, 'attempt')}
          >
            <DefinitionList
              items={[
                { name: texts.requested, value: formatExactTime(requestedAt) },
                ...(attemptedAt === null ? [] : [{ name: texts.lastAttempt, value: formatExactTime(attemptedAt) }]),
                ...(problem === null ? [] : [{ name: texts.lastResponse, value: problem }]),
                ...(fan === null ? [] : [{ name: texts.fan, value: `${isolateText(fan.name)}, @${fan.username}` }]),
              ]}
            />
          </ExpandableRow>
        ))}
      </ExpandableRows>
    </section>
  );
}
