import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { assignCase, type CaseLine, dismissCases } from '@stagedoor/contract/cases-desk.ts';
import { type KeyboardEvent, useState } from 'react';
import { formatDayTime, plural } from '../../../kernel/dates.ts';
import { useMay } from '../../../kernel/operator.ts';
import { useViewer } from '../../../kernel/session.ts';
import { useStake } from '../../../kernel/unsaved.ts';
import { type Act, ActPanel, useActs } from '../../../ui/case.tsx';
import { Clock } from '../../../ui/clock.tsx';
import { isPlainKey } from '../../../ui/keys.ts';
import { UiLink } from '../../../ui/link.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { type CaseFilters, caseHref, FORGET } from './queries.ts';
import { useReopen } from './reopen.tsx';
import { clockOf, QUEUE_WORDS, STATE_WORDS } from './words.ts';

const DISMISS: readonly Act<'dismiss'>[] = [{ value: 'dismiss', words: 'Dismiss', letter: 'D', button: 'Dismiss' }];

function underOf({ queue, person, from, reports }: CaseLine): string {
  const said = reports > 1 ? `from ${plural(reports, 'person', 'people')}` : `from ${from}`;
  return [QUEUE_WORDS[queue], person && `@${person.username}`, said].filter(Boolean).join(' · ');
}

function Line({
  line,
  now,
  href,
  isChosen,
  onChoose,
}: {
  line: CaseLine;
  now: string;
  href: string;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const viewer = useViewer();
  const mayDismiss = useMay(dismissCases);
  const { id, title, state, assignee, closedAt } = line;
  return (
    <li className="case-line" data-case={id} data-chosen={isChosen ? '' : undefined}>
      {state === 'closed' || !mayDismiss ? (
        <span />
      ) : (
        <label className="case-line__pick">
          <input
            type="checkbox"
            className="box"
            checked={isChosen}
            onChange={onChoose}
            aria-label={`Select ${title}`}
          />
        </label>
      )}
      <div className="min-w-0">
        <UiLink href={href} className="row__title row__link one-line">
          <bdi>{title}</bdi>
        </UiLink>
        <span className="row__sub one-line">{underOf(line)}</span>
      </div>
      <span className="grid justify-items-end gap-0.5 text-small">
        {state === 'open' ? (
          <Clock {...clockOf(line.clock, now)} />
        ) : (
          <span className="text-muted">{closedAt ? formatDayTime(closedAt, now) : STATE_WORDS[state]}</span>
        )}
        <span className="text-muted">
          {assignee === null ? 'Unassigned' : assignee.id === viewer?.id ? 'You' : `@${assignee.username}`}
        </span>
      </span>
    </li>
  );
}

const focusedCase = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement ? target.closest<HTMLElement>('[data-case]')?.dataset.case : undefined;

function DismissPanel({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const of = useActs(DISMISS);
  const reopen = useReopen();
  const dismiss = useDeskAct(dismissCases, {
    forget: FORGET,
    done: ({ dismissed, left }) =>
      `${plural(dismissed.length, 'case')} dismissed.${left.length > 0 ? ` ${left.length} couldn’t be.` : ''}`,
    undo: ({ dismissed }) => (dismissed.length > 0 ? () => reopen.atOnce(dismissed) : undefined),
    onDone,
  });
  useStake(of.ground !== '', dismiss.isPending);
  return (
    <section className="max-w-120 border-t border-line pt-4" aria-label="Dismiss selected">
      <p className="pb-3 font-semibold">{plural(ids.length, 'case')} selected</p>
      <ActPanel
        of={of}
        legend="Decide"
        ground={groundFor('Reason', 'Complainants see this. Reporters are told no action was taken.')}
        busy={dismiss.isPending}
        error={dismiss.error}
        onAct={(_, ground) => dismiss.send({ body: { ids: [...ids], ground } })}
      />
    </section>
  );
}

export function InboxRows({ lines, now, filters }: { lines: readonly CaseLine[]; now: string; filters: CaseFilters }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const viewer = useViewer();
  const mayDismiss = useMay(dismissCases);
  const assign = useDeskAct(assignCase, {
    forget: FORGET,
    done: ({ reference, assignee }) => `${reference}: ${assignee === null ? 'unassigned' : 'assigned to you'}.`,
  });
  const turn = (id: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id) && next.size < CASES.atOnce) next.add(id);
      return next;
    });
  const ids = lines.filter(({ id, state }) => chosen.has(id) && state !== 'closed').map(({ id }) => id);
  const onKeyDown = (event: KeyboardEvent) => {
    const key = event.key.toUpperCase();
    const line = lines.find(({ id }) => id === focusedCase(event));
    if (!line || line.state === 'closed' || !isPlainKey(event)) return;
    if (key === 'X' && mayDismiss) turn(line.id);
    if (key === 'A' && assign.may)
      assign.send({ params: { id: line.id }, body: { isMine: line.assignee?.id !== viewer?.id } });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys beside the controls, which do the same
    <div onKeyDown={onKeyDown}>
      <ul className="case-lines" aria-label="Cases">
        {lines.map((line) => (
          <Line
            key={line.id}
            line={line}
            now={now}
            href={caseHref(line.id, filters)}
            isChosen={chosen.has(line.id)}
            onChoose={() => turn(line.id)}
          />
        ))}
      </ul>
      {ids.length > 0 && <DismissPanel ids={ids} onDone={() => setChosen(new Set())} />}
    </div>
  );
}
