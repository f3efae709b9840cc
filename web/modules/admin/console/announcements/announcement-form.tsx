import {
  ANNOUNCEMENT_DAYS,
  ANNOUNCEMENT_LENGTH,
  createAnnouncement,
  listAnnouncements,
} from '@stagedoor/contract/admin/announcements.ts';
import { ANNOUNCEMENT_AUDIENCES, ANNOUNCEMENT_LEVELS } from '@stagedoor/contract/shared/announcements.ts';
import { type FormEvent, useState } from 'react';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox, Segmented } from '../../../../ui/choice.tsx';
import { SelectField, TextAreaField, TextField } from '../../../../ui/field.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { LocalTimeField } from '../../../../ui/local-time-field.tsx';
import { getOwnZone } from '../../../../ui/own-zone.ts';
import { Banner } from '../../../../ui/states.tsx';
import { useNow } from '../../../../ui/use-now.ts';
import { parseWallTime } from '../../../../ui/zoned-time.ts';
import { useAdminAction } from '../use-admin-action.ts';
import { AUDIENCE_LABELS, LEVEL_LABELS } from './announcement-labels.ts';
import * as texts from './texts.ts';

type AnnouncementDraft = {
  title: string;
  text: string;
  level: (typeof ANNOUNCEMENT_LEVELS)[number];
  audience: (typeof ANNOUNCEMENT_AUDIENCES)[number];
  isDismissable: boolean;
  /** In the operator's time zone. Empty means immediately. */
  from: string;
  until: string;
};
const EMPTY_DRAFT: AnnouncementDraft = {
  ...{ title: '', text: '', level: 'info', audience: 'everyone', isDismissable: true },
  ...{ from: '', until: '' },
};

const toIsoTime = (localTime: string) => parseWallTime(localTime, getOwnZone())?.instant.toISOString();

function TimeFields({
  draft,
  change,
}: {
  draft: AnnouncementDraft;
  change: (part: Partial<AnnouncementDraft>) => void;
}) {
  const now = useNow(true);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <LocalTimeField
        label={texts.startTime}
        emptyHint={texts.startTimeHint}
        isUtcShown
        now={now}
        value={draft.from}
        onChange={(from) => change({ from })}
      />
      <LocalTimeField
        label={texts.endTime}
        required
        emptyHint={texts.endTimeHint}
        isUtcShown
        now={now}
        maxDays={ANNOUNCEMENT_DAYS}
        value={draft.until}
        onChange={(until) => change({ until })}
      />
    </div>
  );
}

export function AnnouncementForm() {
  const [draft, setDraft] = useState<AnnouncementDraft>(EMPTY_DRAFT);
  const change = (part: Partial<AnnouncementDraft>) => setDraft({ ...draft, ...part });
  const action = useAdminAction(createAnnouncement, {
    invalidates: [listAnnouncements],
    successMessage: ({ state }) => (state === 'scheduled' ? texts.announcementScheduled : texts.announcementPublished),
    onDone: () => setDraft(EMPTY_DRAFT),
  });
  useUnsavedChanges(draft.title !== '' || draft.text !== '', action.isPending);
  if (!action.isAllowed) return null;
  const { title, text, level, audience, isDismissable } = draft;
  const until = toIsoTime(draft.until);
  const isReady = title.trim() !== '' && until !== undefined;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (until === undefined || action.isPending) return;
    const from = draft.from === '' ? null : (toIsoTime(draft.from) ?? null);
    action.send({ body: { title, text, level, audience, isDismissable, from, until } });
  };
  return (
    <form className="form max-w-160" onSubmit={send} aria-label={texts.newAnnouncement}>
      <TextField
        label={texts.title}
        required
        maxLength={ANNOUNCEMENT_LENGTH.title}
        value={title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <TextAreaField
        label={texts.textField}
        hint={texts.plainTextHint}
        rows={3}
        counter={ANNOUNCEMENT_LENGTH.text}
        value={text}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <SelectField
        label={texts.audienceLabel}
        value={audience}
        options={ANNOUNCEMENT_AUDIENCES.map((value) => ({ value, label: AUDIENCE_LABELS[value] }))}
        onChange={(event) => {
          const chosen = ANNOUNCEMENT_AUDIENCES.find((one) => one === event.currentTarget.value);
          if (chosen) change({ audience: chosen });
        }}
      />
      <Segmented
        name="level"
        label={texts.importance}
        value={level}
        options={ANNOUNCEMENT_LEVELS.map((value) => ({ value, label: LEVEL_LABELS[value] }))}
        onValueChange={(value) => {
          const chosen = ANNOUNCEMENT_LEVELS.find((one) => one === value);
          if (chosen) change({ level: chosen });
        }}
      />
      <TimeFields draft={draft} change={change} />
      <Checkbox checked={isDismissable} onChange={(event) => change({ isDismissable: event.currentTarget.checked })}>
        {texts.dismissible}
      </Checkbox>
      {title.trim() !== '' && (
        <div className="grid gap-2">
          <p className="text-small text-muted">{texts.preview}</p>
          <Banner kind={level === 'important' ? 'warn' : 'notice'}>
            <p className="wrap-anywhere">
              <bdi className="font-semibold">{title}</bdi> <bdi>{text}</bdi>
            </p>
          </Banner>
        </div>
      )}
      {action.error !== undefined && <InlineError message={action.error} />}
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        disabled={!isReady}
        busy={action.isPending}
        busyText={texts.publishing}
      >
        {texts.publish}
      </Button>
    </form>
  );
}
