import { isMeasure } from '@stagedoor/contract/case-kinds.ts';
import { type CaseView, reopenCases } from '@stagedoor/contract/cases-desk.ts';
import { useState } from 'react';
import { plural } from '../../../kernel/dates.ts';
import { Button } from '../../../ui/button.tsx';
import type { Act } from '../../../ui/case.tsx';
import { groundFor, useDeskAct } from '../acts.ts';
import { EntryActs } from '../entry-acts.tsx';
import { FORGET } from './queries.ts';

const AT_ONCE = 'Undone.';

export function useReopen() {
  const reopen = useDeskAct(reopenCases, {
    forget: FORGET,
    done: ({ reopened, left }) =>
      `${plural(reopened.length, 'case')} reopened.${left.length > 0 ? ` ${left.length} couldn’t be reopened.` : ''}`,
  });
  const again = (ids: readonly CaseView['id'][], ground: string) => reopen.send({ body: { ids: [...ids], ground } });
  return { ...reopen, again, atOnce: (ids: readonly CaseView['id'][]) => again(ids, AT_ONCE) };
}

export const OPEN_AGAIN = 'Reopens the case with a new deadline and notifies people who were told the outcome.';

const AGAIN: readonly Act<'again'>[] = [
  { value: 'again', words: 'Reopen', letter: 'Z', button: 'Reopen', note: OPEN_AGAIN },
];

/** For a case that was closed by a reply and has no decision. */
export function OpenAgain({ view }: { view: CaseView }) {
  const [isOpen, setOpen] = useState(false);
  const reopen = useReopen();
  if (!view.canReopen || view.decisions.some(({ act, canUndo }) => canUndo && !isMeasure(act))) return null;
  if (!isOpen)
    return (
      <Button icon="undo" className="w-fit" onClick={() => setOpen(true)}>
        Reopen
      </Button>
    );
  return (
    <EntryActs
      acts={AGAIN}
      isBegun
      legend="Reopen"
      ground={groundFor('Reason')}
      busy={reopen.isPending}
      error={reopen.error}
      onAct={(_, ground) => reopen.again([view.id], ground)}
    />
  );
}
