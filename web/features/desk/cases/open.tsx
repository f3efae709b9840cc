/** Opens a case about a user or content. What the operator saw is stored as a note. */
import { casePath } from '@stagedoor/contract/case-addresses.ts';
import type { CaseView } from '@stagedoor/contract/cases-desk.ts';
import { openPersonCase, readPerson } from '@stagedoor/contract/lookup.ts';
import { GROUND_LENGTH } from '@stagedoor/contract/processor-desk.ts';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useStake } from '../../../kernel/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { TextAreaField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { groundFor, useDeskAct } from '../acts.ts';

type Opened = { id: string; reference: string; isNew: boolean };

export const openedWords = ({ reference, isNew }: Opened) =>
  isNew ? `${reference} opened.` : `${reference} was already open. Your note was added.`;

export function useOpened() {
  const navigate = useNavigate();
  return ({ id }: Opened) => void navigate(casePath(id));
}

export interface OpenCaseFormProps {
  label: string;
  question: string;
  busy: boolean;
  error: string | undefined;
  onOpen: (ground: string) => void;
}

export function OpenCaseForm({ label, question, busy, error, onOpen }: OpenCaseFormProps) {
  const [ground, setGround] = useState('');
  useStake(ground !== '', busy);
  const why = ground.trim();
  const isSaid = why.length >= GROUND_LENGTH.min && why.length <= GROUND_LENGTH.max;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isSaid) onOpen(why);
  };
  return (
    <form className="form max-w-120" onSubmit={send} aria-label={label}>
      <TextAreaField
        {...groundFor(question, 'Added to the case as a note.')}
        rows={2}
        counter={GROUND_LENGTH.max}
        value={ground}
        onChange={(event) => setGround(event.currentTarget.value)}
      />
      {error !== undefined && <Refusal message={error} />}
      <Button type="submit" className="justify-self-start" disabled={!isSaid} busy={busy} busyText="Opening…">
        Open a case
      </Button>
    </form>
  );
}

export function OpenPersonCase({ id, seenIn }: { id: NonNullable<CaseView['about']>['id']; seenIn?: CaseView['id'] }) {
  const onDone = useOpened();
  const open = useDeskAct(openPersonCase, { forget: [readPerson], done: openedWords, onDone });
  if (!open.may) return null;
  const form = (
    <OpenCaseForm
      label="Open a case about this user"
      question="What did they do?"
      busy={open.isPending}
      error={open.error}
      onOpen={(ground) => open.send({ params: { id }, body: { ground, ...(seenIn !== undefined && { seenIn }) } })}
    />
  );
  if (seenIn === undefined) return form;
  return (
    <details className="text-small">
      <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4">
        Open a case about this user
      </summary>
      {form}
    </details>
  );
}
