import { ANNOUNCEMENT_LENGTH, announce, listAnnouncements } from '@stagedoor/contract/announcements-desk.ts';
import { ANNOUNCEMENT_LEVELS, AUDIENCES } from '@stagedoor/contract/atoms/announcements.ts';
import { type FormEvent, useState } from 'react';
import { formatExact } from '../../../kernel/dates.ts';
import { useStake } from '../../../kernel/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, Segmented } from '../../../ui/choice.tsx';
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useDeskAct } from '../acts.ts';
import { AUDIENCE_WORDS, LEVEL_WORDS } from './words.ts';

type Draft = {
  title: string;
  text: string;
  level: (typeof ANNOUNCEMENT_LEVELS)[number];
  audience: (typeof AUDIENCES)[number];
  isDismissable: boolean;
  /** In the operator's time zone. Empty means immediately. */
  from: string;
  until: string;
};
const EMPTY: Draft = {
  ...{ title: '', text: '', level: 'info', audience: 'everybody', isDismissable: true },
  ...{ from: '', until: '' },
};

function instantOf(wall: string): string | undefined {
  const at = new Date(wall);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

function Times({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const meant = (wall: string, otherwise: string) => {
    const at = instantOf(wall);
    return at === undefined ? otherwise : formatExact(at);
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="From"
        type="datetime-local"
        hint={meant(draft.from, 'Leave empty to start now.')}
        value={draft.from}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <TextField
        label="Until"
        type="datetime-local"
        required
        hint={meant(draft.until, 'Ends automatically.')}
        value={draft.until}
        onChange={(event) => change({ until: event.currentTarget.value })}
      />
    </div>
  );
}

export function WriteAnnouncement() {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const act = useDeskAct(announce, {
    forget: [listAnnouncements],
    done: ({ state }) => (state === 'coming' ? 'Announcement scheduled.' : 'Announcement published.'),
    onDone: () => setDraft(EMPTY),
  });
  useStake(draft.title !== '' || draft.text !== '', act.isPending);
  if (!act.may) return null;
  const { title, text, level, audience, isDismissable } = draft;
  const until = instantOf(draft.until);
  const isReady = title.trim() !== '' && until !== undefined;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (until === undefined || act.isPending) return;
    const from = draft.from === '' ? null : (instantOf(draft.from) ?? null);
    act.send({ body: { title, text, level, audience, isDismissable, from, until } });
  };
  return (
    <form className="form max-w-160" onSubmit={send} aria-label="New announcement">
      <TextField
        label="Title"
        required
        maxLength={ANNOUNCEMENT_LENGTH.title}
        value={title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <TextAreaField
        label="Text"
        hint="Plain text. Links aren’t supported."
        rows={3}
        counter={ANNOUNCEMENT_LENGTH.text}
        value={text}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <SelectField
        label="For"
        value={audience}
        options={AUDIENCES.map((value) => ({ value, label: AUDIENCE_WORDS[value] }))}
        onChange={(event) => {
          const chosen = AUDIENCES.find((one) => one === event.currentTarget.value);
          if (chosen) change({ audience: chosen });
        }}
      />
      <Segmented
        name="level"
        label="Importance"
        value={level}
        options={ANNOUNCEMENT_LEVELS.map((value) => ({ value, label: LEVEL_WORDS[value] }))}
        onValueChange={(value) => {
          const chosen = ANNOUNCEMENT_LEVELS.find((one) => one === value);
          if (chosen) change({ level: chosen });
        }}
      />
      <Times draft={draft} change={change} />
      <Checkbox checked={isDismissable} onChange={(event) => change({ isDismissable: event.currentTarget.checked })}>
        Dismissible
      </Checkbox>
      {title.trim() !== '' && (
        <div className="grid gap-2">
          <p className="text-small text-muted">Preview:</p>
          <Banner kind={level === 'important' ? 'warn' : 'notice'}>
            <p className="wrap-anywhere">
              <bdi className="font-semibold">{title}</bdi> <bdi>{text}</bdi>
            </p>
          </Banner>
        </div>
      )}
      {act.error !== undefined && <Refusal message={act.error} />}
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        disabled={!isReady}
        busy={act.isPending}
        busyText="Publishing…"
      >
        Publish
      </Button>
    </form>
  );
}
