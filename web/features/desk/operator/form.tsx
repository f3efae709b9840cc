import { type AuditEntry, listAudit } from '@stagedoor/contract/audit.ts';
import { operatorDesk } from '@stagedoor/contract/desk.ts';
import {
  OPERATOR_FACTS,
  type OperatorFact,
  type OperatorFacts,
  readOperatorFacts,
  setOperatorFacts,
} from '@stagedoor/contract/policies.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../kernel/query.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { useDeskAct } from '../acts.ts';
import { Changes } from '../changes.tsx';

export const factsQuery = () => apiQuery(readOperatorFacts, {});
export const factsChangesQuery = () => apiInfiniteQuery(listAudit, { query: { act: 'settings.operator', limit: 10 } });

const WORDS: Readonly<Record<OperatorFact, { label: string; hint: string }>> = {
  company: { label: 'Company', hint: 'Its full legal name' },
  address: { label: 'Address', hint: 'Street, place and postal code' },
  country: { label: 'Country', hint: 'Whose law holds' },
  contactMail: { label: 'Contact email', hint: 'For privacy and the law' },
  dmcaAgent: { label: 'Copyright agent', hint: 'As registered with the U.S. Copyright Office' },
  dmcaAddress: { label: 'Agent’s address', hint: 'Where notices go by post' },
  dmcaMail: { label: 'Agent’s email', hint: 'Where notices go' },
  dmcaPhone: { label: 'Agent’s telephone', hint: 'With the country’s code' },
  custodian: { label: 'Custodian of records', hint: 'Who keeps the records of 18 U.S.C. 2257' },
  custodianAddress: { label: 'Custodian’s address', hint: 'A street address, where records are inspected' },
  custodianHours: { label: 'Inspection hours', hint: 'At least 20 hours a week' },
};

type Draft = { from: OperatorFacts; typed: Partial<OperatorFacts> };

export function OperatorForm() {
  const { facts: current, missing } = useApi(readOperatorFacts, {});
  // The draft is relative to the values at its start, even if newer ones arrive.
  const [draft, setDraft] = useState<Draft>();
  const { from, typed } = draft ?? { from: current, typed: {} };
  const save = useDeskAct(setOperatorFacts, {
    forget: [readOperatorFacts, listAudit, operatorDesk],
    done: () => 'Saved. The public texts say it from now on.',
    onDone: () => setDraft(undefined),
    onElsewhere: () => setDraft(undefined),
  });
  const to = { ...from, ...typed };
  const isChanged = OPERATOR_FACTS.some((name) => to[name] !== from[name]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) save.send({ body: { from, to } });
  };
  return (
    <form className="form max-w-140" onSubmit={send}>
      {OPERATOR_FACTS.map((name) => (
        <TextField
          key={name}
          {...WORDS[name]}
          hint={missing.includes(name) ? `${WORDS[name].hint}. Not said yet.` : WORDS[name].hint}
          autoComplete="off"
          readOnly={!save.may}
          maxLength={200}
          value={to[name]}
          onChange={(event) => setDraft({ from, typed: { ...typed, [name]: event.currentTarget.value } })}
        />
      ))}
      {save.error !== undefined && <Refusal message={save.error} />}
      <Button
        type="submit"
        variant="primary"
        className={save.may ? 'justify-self-start' : 'hidden'}
        disabled={!isChanged}
        busy={save.isPending}
        busyText="Saving…"
      >
        Save
      </Button>
    </form>
  );
}

function wordsOf({ facts }: AuditEntry): string[] {
  return OPERATOR_FACTS.flatMap((name) => {
    const after = facts[name];
    if (typeof after !== 'string') return [];
    return `${WORDS[name].label}: ${after === '' ? 'taken out' : after}`;
  });
}

export function OperatorHistory() {
  const query = useInfiniteQuery(factsChangesQuery());
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Changes
      entries={entries}
      wordsOf={wordsOf}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
