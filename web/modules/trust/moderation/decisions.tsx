import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import { appealDecision, type OwnDecision } from '@stagedoor/contract/trust/moderation.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatDayTime } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { AppealReasonForm } from './appeal-reason-form.tsx';
import { decisionsQuery } from './queries.ts';
import * as texts from './texts.ts';

function AppealForm({ decision, onDone }: { decision: OwnDecision; onDone: () => void }) {
  const client = useQueryClient();
  const send = useApiMutation(appealDecision, {
    showErrorMessage: false,
    onSuccess: (response) => {
      void showToast(response.message, 'success');
      onDone();
    },
    onSettled: () => void client.invalidateQueries({ queryKey: decisionsQuery().queryKey }),
  });
  return (
    <AppealReasonForm
      button={texts.submitAppeal}
      isSending={send.isPending}
      refusal={send.error?.message}
      onSend={(message) => send.mutate({ params: { id: decision.id }, body: { message } })}
    />
  );
}

function formatAppealStatus({ undoneAt, appeal: ownAppeal, appealBy }: OwnDecision): string {
  if (undoneAt !== null) return formatText(texts.reversedOn, { date: formatLongDay(undoneAt) });
  if (ownAppeal?.outcome === 'uphold') return texts.appealUpheld;
  if (ownAppeal) return formatText(texts.appealInReview, { reference: ownAppeal.reference });
  return appealBy === null ? '' : formatText(texts.appealDeadline, { date: formatLongDay(appealBy) });
}

type DecisionsProps = {
  /** The time as ISO text. */
  now: string;
  /** Renders the copyright claim that led to a decision. */
  renderClaim: (decision: OwnDecision) => ReactNode;
};

function Decision({ decision, now, renderClaim }: DecisionsProps & { decision: OwnDecision }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="py-4">
      <p className="flex flex-wrap justify-between gap-x-4 text-small text-muted">
        <span className="num">{decision.reference}</span>
        <span className="num">{formatDayTime(decision.at, now)}</span>
      </p>
      <p className="pt-1 font-semibold wrap-anywhere">{decision.message}</p>
      <p className="mt-2 border-l-2 border-ink pl-4 wrap-anywhere">
        <bdi>{decision.reason}</bdi>
      </p>
      {renderClaim(decision)}
      <p className="pt-2 text-small text-muted">{formatAppealStatus(decision)}</p>
      {decision.appealBy !== null && !isOpen && (
        <Button variant="line" className="mt-2" onClick={() => setOpen(true)}>
          {texts.appeal}
        </Button>
      )}
      {isOpen && decision.appealBy !== null && <AppealForm decision={decision} onDone={() => setOpen(false)} />}
    </li>
  );
}

export function Decisions({ now, renderClaim }: DecisionsProps) {
  const decisions = useQuery(decisionsQuery()).data?.data ?? [];
  if (decisions.length === 0) return null;
  return (
    <section id="decisions" aria-labelledby="decisions-title" className="pt-10">
      <h2 id="decisions-title" className="display d3 pb-2">
        {texts.decisionsOnYourAccount}
      </h2>
      <ul className="lines">
        {decisions.map((decision) => (
          <Decision key={decision.id} decision={decision} now={now} renderClaim={renderClaim} />
        ))}
      </ul>
    </section>
  );
}
