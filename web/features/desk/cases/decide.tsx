/** What is done about a case: an act with its ground and its end, an answer in words, and taking a decision back. */
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { type CaseAct, claimWords, isMeasure, TIMED_ACTS, toldWords } from '@stagedoor/contract/case-kinds.ts';
import {
  type CaseDecision,
  type CaseView,
  decideCase,
  listAnswers,
  replyCase,
  saveAnswer,
  undoDecision,
} from '@stagedoor/contract/cases-desk.ts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useMay } from '../../../kernel/operator.ts';
import { Button } from '../../../ui/button.tsx';
import { type Act, ActPanel, useActs } from '../../../ui/case.tsx';
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { EntryActs } from '../entry-acts.tsx';
import { answersQuery, FORGET } from './queries.ts';
import { ChooseSales, refundTold, useChosenSales } from './refunds.tsx';
import { ACT_WORDS } from './words.ts';

const DAY_MS = 24 * 60 * 60_000;
const WEEK = '7';

/** The end that so many days from now would be, in ISO form; nothing while they are no number. */
function endOf(act: CaseAct, days: string): string | null {
  if (!TIMED_ACTS.includes(act) || !/^\d{1,3}$/.test(days)) return null;
  return new Date(Date.now() + Number(days) * DAY_MS).toISOString();
}

const titleOf = ({ subject, title }: CaseView) => (subject === 'post' ? title.split(': ').slice(1).join(': ') : '');

function toldOf(view: CaseView, act: CaseAct, days: string, ground: string): string | undefined {
  const said = ground || 'What you write here.';
  if (isMeasure(act)) {
    const of = { act, subject: view.subject, title: titleOf(view), until: endOf(act, days), ground: said };
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
  dismiss: 'Who reported it is told that it is within the rules.',
  remove:
    'Nobody loads its files any more, buyers neither; of a broadcast, everybody’s. It can be taken back until its files are erased.',
  refund:
    'It goes to their balance. The creator’s share comes out of what they earned, and is owed where it was paid out. The case stays open. It is not taken back.',
  restore: 'What was removed comes back, unless another decision holds it. Both sides are told.',
  staysDown: 'Only what was shown to us counts: say here what it was. Both sides are told.',
  overturn: 'The decision is undone, and its person told.',
};

/** `onDecided` with the case as it is then. */
export function useDeciding(view: CaseView, onDecided: (view: CaseView) => void) {
  const [days, setDays] = useState(WEEK);
  const sales = useChosenSales(view);
  const acts = view.acts.map(
    (value): Act<CaseAct> => ({
      value,
      ...ACT_WORDS[value],
      note: value === 'dismiss' && view.kind !== 'report' ? undefined : NOTES[value],
      told: (ground) => (
        <span className="whitespace-pre-line">
          {(value === 'refund'
            ? refundTold(sales, ground || 'What you write here.')
            : toldOf(view, value, days, ground)) ?? 'Nothing in words.'}
        </span>
      ),
    }),
  );
  const of = useActs(acts);
  const decide = useDeskAct(decideCase, {
    forget: FORGET,
    done: ({ reference, decisions: [latest], waits }) =>
      waits !== null && of.chosen?.value === 'refund'
        ? `${reference}: waits for a second operator.`
        : `${reference}: ${latest ? ACT_WORDS[latest.act].done : 'Decided'}.`,
    onDone: (after) => {
      of.setGround('');
      onDecided(after);
    },
  });
  const act = of.chosen?.value;
  const isTimed = act !== undefined && TIMED_ACTS.includes(act);
  const panel = acts.length > 0 && (
    <ActPanel
      of={of}
      legend="Act"
      ground={groundFor('Ground', 'Whoever it is done to reads it, word for word.')}
      busy={decide.isPending}
      error={decide.error}
      isReady={act !== 'refund' || sales.chosen.length > 0}
      onAct={(value, ground) =>
        decide.send({
          params: { id: view.id },
          body: {
            act: value,
            ground,
            ...(TIMED_ACTS.includes(value) && { days: Number(days) }),
            ...(value === 'refund' && { sales: sales.chosen.map(({ id }) => id) }),
          },
        })
      }
    >
      {act === 'refund' && <ChooseSales of={sales} />}
      {isTimed && (
        <TextField
          label="For how many days"
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

function useAnswers() {
  return useQuery({ ...answersQuery(), enabled: useMay(listAnswers) }).data?.data ?? [];
}

function SaveAnswer({ text }: { text: string }) {
  const [title, setTitle] = useState('');
  const save = useDeskAct(saveAnswer, {
    forget: [listAnswers],
    done: () => 'Kept for the next time.',
    onDone: () => setTitle(''),
  });
  return (
    <details className="text-small">
      <summary className="flex min-h-11 cursor-pointer items-center">Keep this answer</summary>
      <div className="grid gap-3">
        <TextField
          label="What it is called"
          maxLength={CASES.subjectLength}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        {save.error !== undefined && <Refusal message={save.error} />}
        <Button
          className="w-fit"
          disabled={title.trim() === '' || text.trim() === ''}
          busy={save.isPending}
          busyText="Keeping…"
          onClick={() => save.send({ body: { title, text } })}
        >
          Keep it
        </Button>
      </div>
    </details>
  );
}

/** Answers whoever wrote, where they are answered in words. */
export function ReplyPanel({ view, onDone }: { view: CaseView; onDone: (view: CaseView) => void }) {
  const id = useId();
  const answers = useAnswers();
  const [text, setText] = useState('');
  const reply = useDeskAct(replyCase, {
    forget: FORGET,
    done: ({ state }) => (state === 'closed' ? 'Answered and closed.' : 'Answered.'),
    onDone: (after) => {
      setText('');
      if (after.state === 'closed') onDone(after);
    },
  });
  const hasReplies =
    view.kind === 'ticket' || view.kind === 'contact' || view.kind === 'complaint' || view.kind === 'copyright';
  if (!hasReplies || !reply.may || view.state === 'closed' || view.obstacle !== null) return null;
  const send = (isClosing: boolean) => {
    if (text.trim() !== '') reply.send({ params: { id: view.id }, body: { text, isClosing } });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(false);
  };
  return (
    <form className="grid gap-3 border-t border-line pt-4" aria-labelledby={id} onSubmit={submit}>
      <p id={id} className="case-head">
        Answer
      </p>
      {answers.length > 0 && (
        <SelectField
          label="A kept answer"
          placeholder="Choose one"
          options={answers.map((answer) => ({ value: answer.id, label: answer.title }))}
          value=""
          onChange={(event) => {
            const chosen = answers.find((answer) => answer.id === event.currentTarget.value);
            if (chosen) setText(chosen.text);
          }}
        />
      )}
      <TextAreaField
        label="What they read"
        rows={5}
        counter={CASES.messageLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {reply.error !== undefined && <Refusal message={reply.error} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="ink" disabled={text.trim() === ''} busy={reply.isPending} busyText="Sending…">
          Answer
        </Button>
        <Button disabled={text.trim() === '' || reply.isPending} onClick={() => send(true)}>
          Answer and close
        </Button>
      </div>
      <SaveAnswer text={text} />
    </form>
  );
}

const UNDO: readonly Act<'undo'>[] = [
  {
    value: 'undo',
    words: 'Take it back',
    letter: 'Z',
    button: 'Take it back',
    note: 'What it did is undone, and its person told.',
  },
];

/** Takes a decision back, in its line. */
export function Undo({ decision }: { decision: CaseDecision }) {
  const [isOpen, setOpen] = useState(false);
  const undo = useDeskAct(undoDecision, {
    forget: FORGET,
    done: () => 'Taken back.',
    onDone: () => setOpen(false),
  });
  if (!isOpen)
    return (
      <Button icon="undo" className="w-fit" onClick={() => setOpen(true)}>
        Take it back
      </Button>
    );
  return (
    <EntryActs
      acts={UNDO}
      legend="Take it back"
      ground={groundFor('Why', 'Its person reads it.')}
      busy={undo.isPending}
      error={undo.error}
      onAct={(_, ground) => undo.send({ params: { id: decision.id }, body: { ground } })}
    />
  );
}
