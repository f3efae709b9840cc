/** Writing a post: kept as a draft while it is written, published now or at a time. */

import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import { type Draft, type DraftBody, publishDraft } from '@stagedoor/contract/publishing.ts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { plural } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { formOf, PostFields, type PostForm, priceComplaint, priceOf, wordsComplaint } from './fields.tsx';
import { FileList } from './file-list.tsx';
import { useFiles } from './files.ts';
import { filesComplaint, type Item, isUploading, unfinishedComplaint } from './items.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { LibraryPicker } from './library-picker.tsx';
import { ConflictDialog, GoneBanner, SaveLine } from './save-state.tsx';
import { useAutosave } from './use-autosave.ts';
import { readWhen, useNow, type When, WhenField, whenOf } from './when-field.tsx';

export type DraftEditorProps = {
  /** What is gone on with; nothing for a new post. */
  draft: Draft | undefined;
  ownId: string;
  title: string;
  /** Kept for the first time, or again: the page's address and lists follow. */
  onKept: (draft: Draft) => void;
  onPublished: (post: Post) => void;
  onScheduled: (draft: Draft) => void;
  /** Shows a kept draft as fans will see it. */
  preview: (open: { draftId: string; isPaid: boolean; onClose: () => void }) => ReactNode;
};

function bodyOf(form: PostForm, items: readonly Item[], scheduledAt: string | null): DraftBody {
  // What is not on the server yet, or will never be of use, is no part of the draft.
  const media = items.flatMap(({ mediaId, state, alt }) =>
    mediaId && (state === 'ready' || state === 'processing') ? [{ id: mediaId, alt }] : [],
  );
  const { caption, tags, people } = form;
  return {
    caption: caption.trim(),
    price: priceComplaint(form) ? 0 : priceOf(form),
    media,
    tags: [...tags],
    people: people.map(({ id }) => id),
    scheduledAt,
  };
}

function isEmpty(form: PostForm, items: readonly Item[]): boolean {
  return items.length === 0 && form.caption.trim() === '' && form.tags.length === 0 && form.people.length === 0;
}

/** What leaving would cost, in words. */
function stakeOf(items: readonly Item[], isUnkept: boolean): string | undefined {
  const sending = items.filter(isUploading).length;
  const parts = [
    ...(isUnkept ? ['Your latest changes are not saved.'] : []),
    ...(sending > 0
      ? [
          `${plural(sending, 'file')} would stop uploading. Open the draft again to go on where ${sending === 1 ? 'it' : 'they'} stopped.`,
        ]
      : []),
  ];
  return parts.length > 0 ? parts.join(' ') : undefined;
}

export function DraftEditor({
  draft: start,
  ownId,
  title,
  onKept,
  onPublished,
  onScheduled,
  preview,
}: DraftEditorProps) {
  const [form, setForm] = useState(() => formOf(start));
  const [when, setWhen] = useState<When>(() => whenOf(start?.scheduledAt ?? null));
  const [isTried, setIsTried] = useState(false);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const [isScheduling, setIsScheduling] = useState(false);
  const [draftId, setDraftId] = useState(start?.id);
  const wasScheduled = start?.scheduledAt != null;
  const files = useFiles({ ownerId: ownId, draftId, initial: start?.media ?? [] });
  const { items } = files;
  const now = useNow(when.isLater);

  const scheduledAt = wasScheduled ? (readWhen(when, 0).at ?? start?.scheduledAt ?? null) : null;
  const body = bodyOf(form, items, scheduledAt);
  const held = priceComplaint(form) ?? wordsComplaint(form);
  const keeping = useAutosave({
    draft: start,
    body,
    held,
    isBegun: items.length > 0,
    isAutomatic: !wasScheduled,
    onKept: (kept) => {
      setDraftId(kept.id);
      onKept(kept);
    },
  });
  const publish = useApiMutation(publishDraft, { showErrorMessage: false, onSuccess: onPublished });

  const isUnkept = keeping.isDirty && !isEmpty(form, items);
  const isBusy = publish.isPending || isScheduling;
  const complaintNow = () =>
    held ?? (when.isLater ? (unfinishedComplaint(items) ?? readWhen(when, now).complaint) : filesComplaint(items));
  const failure = publish.error?.message ?? (keeping.state.kind === 'failed' ? keeping.state.words : undefined);
  const complaints = publish.error instanceof ApiError ? publish.error.fields : {};

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    publish.reset();
    if (isBusy || complaintNow() !== undefined) return;
    setIsScheduling(true);
    const at = readWhen(when, now).at;
    const kept = await keeping.flush(at === null && !wasScheduled ? undefined : { ...body, scheduledAt: at });
    setIsScheduling(false);
    if (!kept) return;
    if (at !== null) onScheduled(kept);
    else publish.mutate({ params: { id: kept.id }, body: { version: kept.version } });
  };
  const take = (theirs: Draft) => {
    setForm(formOf(theirs));
    setWhen(whenOf(theirs.scheduledAt));
    files.show(theirs.media);
    keeping.rebase(theirs);
  };
  const verb = when.isLater ? (wasScheduled ? 'Save' : 'Schedule') : 'Publish';
  const price = priceOf(form);

  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 pt-7 pb-6">
        <h1 className="display d2">{title}</h1>
        <SaveLine state={keeping.state} isDirty={isUnkept} />
      </div>
      {start?.failure && (
        <div className="pb-5">
          <Banner kind="error" inline>
            It was not published at its time: {start.failure}
          </Banner>
        </div>
      )}
      {keeping.state.kind === 'gone' && (
        <div className="pb-5">
          <GoneBanner onKeep={() => keeping.rebase(undefined)} />
        </div>
      )}
      <form className="form" onSubmit={(event) => void submit(event)} noValidate>
        <FileList
          files={files}
          library={
            <LibraryPicker without={new Set(items.flatMap(({ mediaId }) => mediaId ?? []))} onAdd={files.addMedia} />
          }
        />
        <PostFields
          form={form}
          onChange={(change) => setForm({ ...form, ...change })}
          ownId={ownId}
          complaints={complaints}
        />
        <WhenField value={when} onChange={setWhen} isTried={isTried} now={now} />
        <div className="grid gap-2">
          {/* Above what was pressed: below it would be out of sight on a low screen. */}
          {isTried && (complaintNow() ?? failure) && (
            <p role="alert" className="pb-1 text-small text-danger">
              {complaintNow() ?? failure}
            </p>
          )}
          <Button type="submit" variant="primary" size="lg" wide busy={isBusy} busyText={`${verb}…`}>
            {price > 0 && held === undefined ? `${verb} · ${formatUsd(price)}` : verb}
          </Button>
          <div className="grid grid-cols-2 gap-2">
            <Button
              icon="eye"
              disabled={!items.some(({ state }) => state === 'ready')}
              onClick={async () => setIsPreviewed((await keeping.flush()) !== undefined)}
            >
              Preview
            </Button>
            <Button disabled={isEmpty(form, items)} onClick={() => void keeping.flush()}>
              {wasScheduled ? 'Save changes' : 'Save draft'}
            </Button>
          </div>
        </div>
      </form>
      {isPreviewed &&
        keeping.draft &&
        preview({ draftId: keeping.draft.id, isPaid: price > 0, onClose: () => setIsPreviewed(false) })}
      {keeping.state.kind === 'conflict' && <Conflict theirs={keeping.state.theirs} keeping={keeping} onTake={take} />}
      <LeaveGuard
        stake={stakeOf(items, isUnkept)}
        onSave={isUnkept ? async () => (await keeping.flush()) !== undefined : undefined}
      />
    </>
  );
}

type ConflictProps = { theirs: Draft; keeping: ReturnType<typeof useAutosave>; onTake: (theirs: Draft) => void };

function Conflict({ theirs, keeping, onTake }: ConflictProps) {
  return (
    <ConflictDialog
      theirs={theirs}
      onTheirs={() => onTake(theirs)}
      onMine={() => {
        keeping.rebase(theirs);
        void keeping.flush();
      }}
      onBoth={() => {
        keeping.rebase(undefined);
        void keeping.flush();
      }}
    />
  );
}
