/** Replies to a ticket, with shared canned responses that operators can insert, edit and delete. */
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { type CaseView, replyCase } from '@stagedoor/contract/cases-desk.ts';
import { dropAnswer, listAnswers, type SavedAnswer, saveAnswer } from '@stagedoor/contract/saved-answers.ts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useMay } from '../../../kernel/operator.ts';
import { useStake } from '../../../kernel/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { useDeskAct } from '../acts.ts';
import { answersQuery, FORGET } from './queries.ts';
import { useReopen } from './reopen.tsx';

function useAnswers() {
  return useQuery({ ...answersQuery(), enabled: useMay(listAnswers) }).data?.data ?? [];
}

const ANSWERS = [listAnswers];

function KeepNew({ text, onKept }: { text: string; onKept: (answer: SavedAnswer) => void }) {
  const [title, setTitle] = useState('');
  const save = useDeskAct(saveAnswer, { forget: ANSWERS, done: () => 'Template saved.', onDone: onKept });
  return (
    <>
      <TextField
        label="Template name"
        maxLength={CASES.subjectLength}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      {save.error !== undefined && <Refusal message={save.error} />}
      <Button
        className="w-fit"
        disabled={title.trim() === '' || text.trim() === ''}
        busy={save.isPending}
        busyText="Saving…"
        onClick={() => save.send({ body: { title, text } })}
      >
        Save template
      </Button>
    </>
  );
}

function ChangeKept({
  answer,
  text,
  onKept,
}: {
  answer: SavedAnswer;
  text: string;
  onKept: (answer: SavedAnswer | undefined) => void;
}) {
  const save = useDeskAct(saveAnswer, { forget: ANSWERS, done: () => 'Template updated.', onDone: onKept });
  const again = useDeskAct(saveAnswer, { forget: ANSWERS, done: () => 'Template restored.', onDone: onKept });
  const { title, text: kept } = answer;
  const drop = useDeskAct(dropAnswer, {
    forget: ANSWERS,
    done: () => `Template “${title}” deleted.`,
    undo: () => () => again.send({ body: { title, text: kept } }),
    onDone: () => onKept(undefined),
  });
  const error = save.error ?? drop.error;
  return (
    <>
      {error !== undefined && <Refusal message={error} />}
      <div className="flex flex-wrap gap-3">
        <Button
          disabled={text.trim() === '' || text.trim() === kept}
          busy={save.isPending}
          busyText="Updating…"
          onClick={() => save.send({ body: { title, text } })}
        >
          Update template
        </Button>
        <Button
          variant="quiet"
          busy={drop.isPending}
          busyText="Deleting…"
          onClick={() => drop.send({ params: { id: answer.id } })}
        >
          Delete template
        </Button>
      </div>
    </>
  );
}

function KeptAnswer({
  answer,
  text,
  onKept,
}: {
  answer: SavedAnswer | undefined;
  text: string;
  onKept: (answer: SavedAnswer | undefined) => void;
}) {
  return (
    <details className="text-small">
      <summary className="flex min-h-11 cursor-pointer items-center wrap-anywhere">
        {answer ? `Edit or delete “${answer.title}”` : 'Save as template'}
      </summary>
      <div className="grid gap-3">
        {answer ? <ChangeKept answer={answer} text={text} onKept={onKept} /> : <KeepNew text={text} onKept={onKept} />}
      </div>
    </details>
  );
}

export function ReplyPanel({ view, onDone }: { view: CaseView; onDone: (view: CaseView) => void }) {
  const id = useId();
  const answers = useAnswers();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<SavedAnswer>();
  const mayKeep = useMay(saveAnswer);
  const reopen = useReopen();
  const reply = useDeskAct(replyCase, {
    forget: FORGET,
    done: ({ state }) => (state === 'closed' ? 'Replied and closed.' : 'Reply sent.'),
    undo: (after) => (after.canReopen ? () => reopen.atOnce([after.id]) : undefined),
    onDone: (after) => {
      setText('');
      if (after.state === 'closed') onDone(after);
    },
  });
  useStake(text !== '' && text !== chosen?.text, reply.isPending);
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
        Reply
      </p>
      {answers.length > 0 && (
        <SelectField
          label="Template"
          placeholder="Choose a template"
          options={answers.map((answer) => ({ value: answer.id, label: answer.title }))}
          value={answers.some(({ id: one }) => one === chosen?.id) ? (chosen?.id ?? '') : ''}
          onChange={(event) => {
            const kept = answers.find((answer) => answer.id === event.currentTarget.value);
            setChosen(kept);
            if (kept) setText(kept.text);
          }}
        />
      )}
      <TextAreaField
        label="Message to user"
        rows={5}
        counter={CASES.messageLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {reply.error !== undefined && <Refusal message={reply.error} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="ink" disabled={text.trim() === ''} busy={reply.isPending} busyText="Sending…">
          Reply
        </Button>
        <Button disabled={text.trim() === '' || reply.isPending} onClick={() => send(true)}>
          Reply and close
        </Button>
      </div>
      {mayKeep && <KeptAnswer answer={chosen} text={text} onKept={setChosen} />}
    </form>
  );
}
