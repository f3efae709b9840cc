import { listSubscriptions, type Subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { type ReactNode, useId, useState } from 'react';
import { apiQuery } from '../../../platform/query.ts';
import { type GroupName, getGroup, groupSubscriptions } from './groups.ts';
import { SubscriptionRow } from './subscription-row.tsx';
import * as texts from './texts.ts';

export const subscriptionsQuery = () => apiQuery(listSubscriptions, {});

const GROUP_NAMES: Readonly<Record<GroupName, string>> = {
  answer: texts.needsAnswer,
  renewing: texts.renewing,
  gift: texts.gifts,
  canceled: texts.canceledGroup,
};

export function SubscriptionGroup({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="pt-6">
      <div className="flex items-baseline justify-between border-b border-ink pb-2.5">
        <h2 id={id} className="display d4">
          {title}
        </h2>
        <span className="num text-small text-muted">{count.toLocaleString('en-US')}</span>
      </div>
      {children}
    </section>
  );
}

export function SubscriptionList({ subscriptions, now }: { subscriptions: readonly Subscription[]; now: string }) {
  const [held, setHeld] = useState<ReadonlyMap<string, GroupName>>(new Map());
  return groupSubscriptions(subscriptions, held).map((group) => (
    <SubscriptionGroup key={group.name} title={GROUP_NAMES[group.name]} count={group.subscriptions.length}>
      <ul>
        {group.subscriptions.map((subscription) => (
          <SubscriptionRow
            key={subscription.id}
            subscription={subscription}
            now={now}
            isHeld={held.has(subscription.id)}
            onChange={() =>
              setHeld((before) =>
                new Map(before).set(subscription.id, before.get(subscription.id) ?? getGroup(subscription)),
              )
            }
          />
        ))}
      </ul>
    </SubscriptionGroup>
  ));
}
