import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import {
  type CaseAct,
  claimWords,
  isMeasure,
  PROFILE_PART_WORDS,
  type ProfilePart,
  partsWords,
  TIMED_ACTS,
  toldWords,
} from '@stagedoor/contract/case-kinds.ts';
import { type CaseDecision, type CaseView, decideCase, undoDecision } from '@stagedoor/contract/cases-desk.ts';
import { useState } from 'react';
import { useStake } from '../../../kernel/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { type Act, ActPanel, useActs } from '../../../ui/case.tsx';
import { TextField } from '../../../ui/field.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { EntryActs } from '../entry-acts.tsx';
import { FORGET } from './queries.ts';
import { ChooseSales, refundTold, useChosenSales } from './refunds.tsx';
import { OPEN_AGAIN, useReopen } from './reopen.tsx';
import { ACT_WORDS } from './words.ts';

const DAY_MS = 24 * 60 * 60_000;
const WEEK = '7';

function endOf(act: CaseAct, days: string): string | null {
  if (!TIMED_ACTS.includes(act) || !/^\d{1,3}$/.test(days)) return null;
  return new Date(Date.now() + Number(days) * DAY_MS).toISOString();
}

function useParts({ parts }: CaseView) {
  const [chosen, setChosen] = useState<readonly ProfilePart[]>([]);
  const turn = (part: ProfilePart) =>
    setChosen((before) => (before.includes(part) ? before.filter((one) => one !== part) : [...before, part]));
  return { open: parts, chosen: parts.filter((part) => chosen.includes(part)), turn };
}

function ChooseParts({ of: { open, chosen, turn } }: { of: ReturnType<typeof useParts> }) {
  return (
    <fieldset>
      <legend className="case-head">Scope</legend>
      {open.map((part) => (
        <label key={part} className="case-choice">
          <input type="checkbox" className="box" checked={chosen.includes(part)} onChange={() => turn(part)} />
          <span className="first-letter:uppercase">{PROFILE_PART_WORDS[part]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The name of the content in the message to its owner. For a profile, the parts that are removed. */
function titleOf({ subject, title }: CaseView, act: CaseAct, parts: readonly ProfilePart[]): string {
  if (subject === 'profile' && act === 'remove') return partsWords(parts) || '…';
  return subject === 'post' ? title.split(': ').slice(1).join(': ') : '';
}

type Wish = { act: CaseAct; days: string; parts: readonly ProfilePart[]; ground: string };

function toldOf(view: CaseView, { act, days, parts, ground }: Wish): string | undefined {
  const said = ground || 'Your message.';
  if (isMeasure(act)) {
    const title = titleOf(view, act, parts);
    const of = { act, subject: view.subject, title, until: endOf(act, days), ground: said };
    const claim =
      view.kind === 'copyright' && act === 'remove' && view.notice !== null
        ? claimWords({ name: view.notice.name, work: view.details, place: view.where }, CASE_PATHS.creatorHelpdesk)
        : undefined;
    return [toldWords(of, view.appealBy), claim].filter((part) => part !== undefined).join('\n\n');
  }
  const isAnswered =
    act === 'close' ||
    act === 'uphold' ||
    (act === 'dismiss' && (view.kind === 'complaint' || view.kind === 'copyright'));
  return isAnswered ? said : undefined;
}

const NOTES: Readonly<Partial<Record<CaseAct, string>>> = {
  dismiss: 'The reporter is told it’s within the rules.',
  remove:
    'Removes the files for everyone, including buyers. For a broadcast, from every chat. Can be reversed until the files are erased.',
  refund:
    'Refunds to the buyer’s balance. The creator’s share is deducted from their earnings, or owed if already paid out. The case stays open. Can’t be reversed.',
  restore: 'Restores the content unless another decision applies. Both sides are notified.',
  staysDown: 'Describe the proof you received. Both sides are notified.',
  overturn: 'Reverses the decision and notifies the user.',
};

function noteOf({ kind, subject, appealed }: CaseView, act: CaseAct): string | undefined {
  if (act === 'dismiss' && kind !== 'report') return undefined;
  if (act === 'overturn' && appealed?.act === 'dismiss') return 'Reopens the dismissed case and assigns it to you.';
  return act === 'remove' && subject === 'profile'
    ? 'Removes it for everyone. They can upload something else. Can be reversed.'
    : NOTES[act];
}

export function useDeciding(view: CaseView, onDecided: (view: CaseView) => void) {
  const [days, setDays] = useState(WEEK);
  const sales = useChosenSales(view);
  const parts = useParts(view);
  const reopen = useReopen();
  const isOfProfile = view.subject === 'profile';
  const acts = view.acts.map(
    (value): Act<CaseAct> => ({
      value,
      ...ACT_WORDS[value],
      ...(value === 'remove' && isOfProfile && { button: 'Remove' }),
      note: noteOf(view, value),
      told: (ground) => (
        <span className="whitespace-pre-line">
          {(value === 'refund'
            ? refundTold(sales, ground || 'Your message.')
            : toldOf(view, { act: value, days, parts: parts.chosen, ground })) ?? 'No text.'}
        </span>
      ),
    }),
  );
  const of = useActs(acts);
  const decide = useDeskAct(decideCase, {
    forget: FORGET,
    done: ({ reference, decisions: [latest], waits }) =>
      waits !== null && of.chosen?.value === 'refund'
        ? `${reference}: awaiting second approval.`
        : `${reference}: ${latest ? ACT_WORDS[latest.act].done : 'Decided'}.`,
    undo: ({ id, canReopen }) => (canReopen ? () => reopen.atOnce([id]) : undefined),
    onDone: (after) => {
      of.setGround('');
      onDecided(after);
    },
  });
  useStake(of.ground !== '', decide.isPending);
  const act = of.chosen?.value;
  const isTimed = act !== undefined && TIMED_ACTS.includes(act);
  const takesParts = act === 'remove' && isOfProfile;
  const panel = acts.length > 0 && (
    <ActPanel
      of={of}
      legend="Action"
      ground={groundFor('Reason', 'The user sees this text as written.')}
      busy={decide.isPending}
      error={decide.error}
      isReady={(act !== 'refund' || sales.chosen.length > 0) && (!takesParts || parts.chosen.length > 0)}
      onAct={(value, ground) =>
        decide.send({
          params: { id: view.id },
          body: {
            act: value,
            ground,
            ...(TIMED_ACTS.includes(value) && { days: Number(days) }),
            ...(takesParts && { parts: parts.chosen }),
            ...(value === 'refund' && { sales: sales.chosen.map(({ id }) => id) }),
          },
        })
      }
    >
      {act === 'refund' && <ChooseSales of={sales} />}
      {takesParts && <ChooseParts of={parts} />}
      {isTimed && (
        <TextField
          label="Duration (days)"
          type="number"
          inputMode="numeric"
          min={CASES.days.min}
          max={CASES.days.max}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
      )}
    </ActPanel>
  );
  return { panel, onKeyDown: of.onKeyDown };
}

const UNDO: Act<'undo'> = { value: 'undo', words: 'Reverse', letter: 'Z', button: 'Reverse' };

export function Undo({ decision }: { decision: CaseDecision }) {
  const [isOpen, setOpen] = useState(false);
  const undo = useDeskAct(undoDecision, {
    forget: FORGET,
    done: () => 'Reversed.',
    onDone: () => setOpen(false),
  });
  if (!isOpen)
    return (
      <Button icon="undo" className="w-fit" onClick={() => setOpen(true)}>
        Reverse
      </Button>
    );
  const isOfPerson = isMeasure(decision.act);
  const note = isOfPerson ? 'The action is undone and the user notified.' : OPEN_AGAIN;
  return (
    <EntryActs
      acts={[{ ...UNDO, note }]}
      isBegun
      legend="Reverse"
      ground={isOfPerson ? groundFor('Reason', 'The user sees this.') : groundFor('Reason')}
      busy={undo.isPending}
      error={undo.error}
      onAct={(_, ground) => undo.send({ params: { id: decision.id }, body: { ground } })}
    />
  );
}
