/** The composer of a post. It saves a draft and publishes it now or at a chosen time. */

import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import { type Draft, publishDraft } from '@stagedoor/contract/publishing.ts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { plural } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { usePriceRule } from '../../kernel/price-rule.ts';
import { withWords } from '../../kernel/shared-files.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { type Cause, causesOf, filesCause, usePlaces, wordsAt } from './cause.ts';
import { keepable } from './draft-body.ts';
import { fieldsCause, formOf, MoreFields, PostFields, type PostForm, priceOf } from './fields.tsx';
import { FileTiles } from './file-tiles.tsx';
import { useFiles } from './files.ts';
import { type Item, isUploading, itemOfMedia } from './items.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { LibraryPicker } from './library-picker.tsx';
import { PublishBar } from './publish-bar.tsx';
import { ConflictDialog, GoneBanner, SaveLine } from './save-state.tsx';
import { useAutosave } from './use-autosave.ts';
import { readWhen, useNow, type When, WhenField, whenOf } from './when-field.tsx';

export type DraftEditorProps = {
  draft: Draft | undefined;
  ownId: string;
  title: string;
  /** Called after every save, so that the page can update its URL and lists. */
  onKept: (draft: Draft) => void;
  onPublished: (post: Post) => void;
  onScheduled: (draft: Draft) => void;
  preview: (open: { draftId: string; isPaid: boolean; onClose: () => void }) => ReactNode;
};

function isEmpty(form: PostForm, items: readonly Item[]): boolean {
  return items.length === 0 && form.caption.trim() === '' && form.tags.length === 0 && form.people.length === 0;
}

function stakeOf(items: readonly Item[], isUnkept: boolean, isWithoutPrice: boolean): string | undefined {
  const sending = items.filter(isUploading).length;
  const parts = [
    ...(isUnkept ? ['You have unsaved changes.'] : []),
    ...(isWithoutPrice ? ['The price isn’t valid yet.'] : []),
    ...(sending > 0 ? [`${plural(sending, 'file')} will stop uploading. Reopen the draft to resume.`] : []),
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
  const rule = usePriceRule('post');
  const [when, setWhen] = useState<When>(() => whenOf(start?.scheduledAt ?? null));
  const [isTried, setIsTried] = useState(false);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const [isScheduling, setIsScheduling] = useState(false);
  const [isMore, setIsMore] = useState(start?.scheduledAt != null);
  const [kept, setKept] = useState(start);
  const wasScheduled = start?.scheduledAt != null;
  const files = useFiles({
    ownerId: ownId,
    draftId: kept?.id,
    initial: (start?.media ?? []).map(({ media, alt }) => itemOfMedia(media, alt)),
  });
  const { items } = files;
  const now = useNow(when.isLater);

  const scheduledAt = wasScheduled ? (readWhen(when, 0).at ?? start?.scheduledAt ?? null) : null;
  const { body, held, isWithoutPrice } = keepable(form, items, { scheduledAt, keptPrice: kept?.price ?? 0, rule });
  const keeping = useAutosave({
    draft: start,
    body,
    held,
    isBegun: items.length > 0,
    isAutomatic: !wasScheduled,
    onKept: (draft) => {
      setKept(draft);
      onKept(draft);
    },
  });
  const isUnkept = keeping.isDirty && !isEmpty(form, items);
  const { form: place, show } = usePlaces();
  const showCause = ({ place: at }: Cause) => {
    if (at === 'when' || at === 'tags' || at === 'people') setIsMore(true);
    show(at);
  };
  const timeCause = (): Cause | undefined => {
    const { complaint } = readWhen(when, now);
    return complaint === undefined ? undefined : { place: 'when', words: complaint };
  };
  /** The first error in the order of the page. */
  const causeNow = () => filesCause(items, when.isLater) ?? fieldsCause(form, rule) ?? timeCause();
  const publish = useApiMutation(publishDraft, {
    showErrorMessage: false,
    onSuccess: onPublished,
    onError: (error) => {
      const [first] = error instanceof ApiError ? causesOf(error.fields, items) : [];
      if (first) showCause(first);
    },
  });
  const told = publish.error instanceof ApiError ? causesOf(publish.error.fields, items) : [];
  const isBusy = publish.isPending || isScheduling;
  const failure =
    (told.length === 0 ? publish.error?.message : undefined) ??
    (keeping.state.kind === 'failed' ? keeping.state.words : undefined);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    publish.reset();
    if (isBusy) return;
    const cause = causeNow();
    if (cause) return showCause(cause);
    setIsScheduling(true);
    const at = readWhen(when, now).at;
    const saved = await keeping.flush(at === null && !wasScheduled ? undefined : { ...body, scheduledAt: at });
    setIsScheduling(false);
    if (!saved) return;
    if (at !== null) onScheduled(saved);
    else publish.mutate({ params: { id: saved.id }, body: { version: saved.version } });
  };
  const take = (theirs: Draft) => {
    setKept(theirs);
    setForm(formOf(theirs));
    setWhen(whenOf(theirs.scheduledAt));
    files.show(theirs.media);
    keeping.rebase(theirs);
  };
  const verb = when.isLater ? (wasScheduled ? 'Save' : 'Schedule') : 'Publish';
  const price = priceOf(form, rule);

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 pt-3 pb-2 lg:pt-7 lg:pb-6">
        <h1 className="display d3 lg:text-d2">{title}</h1>
        <span className="min-w-0 flex-1">
          <SaveLine state={keeping.state} isDirty={isUnkept} isWithoutPrice={isWithoutPrice} />
        </span>
        <Button variant="quiet" disabled={isEmpty(form, items)} onClick={() => void keeping.flush()}>
          {wasScheduled ? 'Save changes' : 'Save draft'}
        </Button>
      </div>
      {start?.failure && (
        <div className="pb-5">
          <Banner kind="error" inline>
            Scheduled publishing failed: {start.failure}
          </Banner>
        </div>
      )}
      {keeping.state.kind === 'gone' && (
        <div className="pb-5">
          <GoneBanner onKeep={() => keeping.rebase(undefined)} />
        </div>
      )}
      <form ref={place} className="form" onSubmit={(event) => void submit(event)} noValidate>
        <FileTiles
          files={files}
          onWords={(words) => setForm({ ...form, caption: withWords(form.caption, words) })}
          error={wordsAt([isTried ? filesCause(items, when.isLater) : undefined, ...told], 'files')}
          library={
            <LibraryPicker without={new Set(items.flatMap(({ mediaId }) => mediaId ?? []))} onAdd={files.addMedia} />
          }
        />
        <PostFields
          form={form}
          rule={rule}
          onChange={(change) => setForm({ ...form, ...change })}
          causes={told}
          isTried={isTried}
        />
        <MoreFields
          form={form}
          onChange={(change) => setForm({ ...form, ...change })}
          causes={told}
          ownId={ownId}
          isOpen={isMore}
          onOpenChange={setIsMore}
          when={{
            words: when.isLater ? 'at a scheduled time' : 'now',
            field: <WhenField value={when} onChange={setWhen} isTried={isTried} now={now} />,
          }}
        />
        <PublishBar failure={isTried ? failure : undefined}>
          <IconButton
            icon="eye"
            label="Preview"
            disabled={!items.some(({ state }) => state === 'ready')}
            onClick={async () => setIsPreviewed((await keeping.flush()) !== undefined)}
          />
          <Button type="submit" variant="primary" size="lg" wide busy={isBusy} busyText={`${verb}…`}>
            {price > 0 ? `${verb} · ${formatUsd(price)}` : verb}
          </Button>
        </PublishBar>
      </form>
      {isPreviewed &&
        keeping.draft &&
        preview({ draftId: keeping.draft.id, isPaid: keeping.draft.price > 0, onClose: () => setIsPreviewed(false) })}
      {keeping.state.kind === 'conflict' && <Conflict theirs={keeping.state.theirs} keeping={keeping} onTake={take} />}
      <LeaveGuard
        stake={stakeOf(items, isUnkept, isWithoutPrice && !isEmpty(form, items))}
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
