/** The kill switches: each with its message to users, a required reason and one button, and the history of changes. */
import { type AuditEntry, listAudit } from '@stagedoor/contract/audit.ts';
import { GROUND_LENGTH } from '@stagedoor/contract/processor-desk.ts';
import {
  listSwitches,
  NOTICE_LENGTH,
  SETTINGS,
  type Setting,
  type Standing,
  type SwitchView,
  setSwitch,
} from '@stagedoor/contract/switches-desk.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { formatDayTime } from '../../../kernel/dates.ts';
import { useStake } from '../../../kernel/unsaved.ts';
import { Lamp } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { Glyph } from '../../../ui/rows.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { Changes } from '../changes.tsx';
import { SWITCH_WORDS, turnsQuery } from './words.ts';

const stateWords = (name: Setting) =>
  name === 'maintenance' ? (['on', 'off'] as const) : (['stopped', 'running'] as const);

function TurnForm({ view }: { view: SwitchView }) {
  const { title, stop, goOn, usual } = SWITCH_WORDS[view.name];
  const [on, off] = stateWords(view.name);
  // The draft is relative to the values at its start, even if newer ones arrive.
  const [draft, setDraft] = useState<{ from: Standing; words: string }>();
  const { from, words } = draft ?? { from: { isStopped: view.isStopped, words: view.words }, words: view.words };
  const [ground, setGround] = useState('');
  const turn = useDeskAct(setSwitch, {
    forget: [listSwitches, listAudit],
    done: ({ isStopped }) => {
      if (isStopped === from.isStopped) return `${title}: message saved.`;
      return `${title}: ${isStopped ? on : off}. Takes effect everywhere within seconds.`;
    },
    onDone: () => {
      setDraft(undefined);
      setGround('');
    },
    onElsewhere: () => setDraft(undefined),
  });
  useStake(draft !== undefined || ground !== '', turn.isPending);
  const why = ground.trim();
  const isSaid = why.length >= GROUND_LENGTH.min && why.length <= GROUND_LENGTH.max;
  const isOther = words.trim() !== from.words;
  const send = (isStopped: boolean) =>
    turn.send({ params: { name: view.name }, body: { from, to: { isStopped, words: words.trim() }, ground: why } });
  if (!turn.may) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSaid && !turn.isPending) send(!from.isStopped);
  };
  return (
    <form className="form max-w-120 pt-5" onSubmit={submit}>
      <TextAreaField
        label="Message to users"
        hint={`If empty: “${usual}”`}
        rows={2}
        counter={NOTICE_LENGTH}
        value={words}
        onChange={(event) => setDraft({ from, words: event.currentTarget.value })}
      />
      <TextAreaField
        {...(({ label, hint }) => ({ label, hint }))(groundFor('Reason'))}
        rows={2}
        counter={GROUND_LENGTH.max}
        value={ground}
        onChange={(event) => setGround(event.currentTarget.value)}
      />
      {turn.error !== undefined && <Refusal message={turn.error} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={!isSaid} busy={turn.isPending} busyText="Saving…">
          {from.isStopped ? goOn : stop}
        </Button>
        {isOther && (
          <Button disabled={!isSaid || turn.isPending} onClick={() => send(from.isStopped)}>
            Save message only
          </Button>
        )}
      </div>
    </form>
  );
}

/** `now` is an ISO timestamp. */
export function SwitchRows({ switches, now }: { switches: readonly SwitchView[]; now: string }) {
  // Maintenance stops everything, so it comes first.
  const inOrder = [...switches].sort((a, b) => Number(b.name === 'maintenance') - Number(a.name === 'maintenance'));
  return (
    <ul className="lines" aria-label="Kill switches">
      {inOrder.map((view) => {
        const { title, what, usual } = SWITCH_WORDS[view.name];
        return (
          <li key={view.name}>
            <details className="entry">
              <summary>
                <Glyph icon={SWITCH_WORDS[view.name].icon} />
                <span className="min-w-0">
                  <span className="row__title">{title}</span>
                  <span className="row__sub">
                    {view.changedAt === null ? 'Never changed' : `Since ${formatDayTime(view.changedAt, now)}`}
                  </span>
                </span>
                <span className="row__end">
                  {view.isStopped ? (
                    <Lamp state="busy">{view.name === 'maintenance' ? 'On' : 'Stopped'}</Lamp>
                  ) : view.name === 'maintenance' ? (
                    <span className="text-muted">Off</span>
                  ) : (
                    <Lamp>Running</Lamp>
                  )}
                </span>
                <Icon name="chevron-down" size={18} />
              </summary>
              <div className="journal">
                <p className="text-small text-muted">{what}</p>
                {view.isStopped && (
                  <p className="pt-2 text-small wrap-anywhere">
                    Message shown: “<bdi>{view.words || usual}</bdi>”
                  </p>
                )}
                <TurnForm view={view} />
              </div>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

function wordsOf({ subjectId, facts }: AuditEntry): string[] {
  const name = SETTINGS.find((one) => one === subjectId);
  if (!name) return [];
  const { isStopped, isStoppedBefore, words, ground } = facts;
  const [on, off] = stateWords(name);
  const state = isStopped === isStoppedBefore ? 'message changed' : isStopped ? on : off;
  return [
    `${SWITCH_WORDS[name].title}: ${state}. Reason: “${String(ground)}”`,
    ...(typeof words === 'string' && words !== '' ? [`Message shown: “${words}”`] : []),
  ];
}

export function Turns() {
  const query = useInfiniteQuery(turnsQuery());
  return (
    <Changes
      entries={query.data?.pages.flatMap(({ data }) => data) ?? []}
      wordsOf={wordsOf}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
