/** The composer of a post. It saves a draft and publishes it now or at a chosen time. */

import { type Draft, publishDraft } from '@stagedoor/contract/content/drafts.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { formatCount } from '../../../platform/dates.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { usePriceSchema } from '../../../platform/price-schema.ts';
import { usePublishingObstacle } from '../../../platform/seller-gate.ts';
import { appendText } from '../../../platform/shared-files.tsx';
import { useWhenDue } from '../../../platform/use-when-due.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { hasNoDetails } from './detail-fields.tsx';
import { toSaveableDraft } from './draft-body.ts';
import { findFieldsError, getPrice, MoreFields, PostFields, type PostForm, toPostForm } from './fields.tsx';
import { FileTiles } from './file-tiles.tsx';
import {
  type FormError,
  findFilesError,
  findMessageAt,
  isInMorePanel,
  toFormErrors,
  useErrorFocus,
} from './form-errors.ts';
import { isUploading, toMediaItem, type UploadItem } from './items.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { LibraryPicker } from './library-picker.tsx';
import { PublishBar, SubmitButton } from './publish-bar.tsx';
import { ConflictDialog, DeletedDraftBanner, SaveStatus } from './save-state.tsx';
import { type PostSchedule, parsePostSchedule, ScheduleField, toSchedule } from './schedule-field.tsx';
import * as texts from './texts.ts';
import { useAutosave } from './use-autosave.ts';
import { useFileWait } from './use-file-wait.ts';
import { usePostFiles } from './use-files.ts';

export type DraftEditorProps = {
  draft: Draft | undefined;
  ownId: string;
  title: string;
  /** Called after every save, so that the page can update its URL and lists. */
  onSaved: (draft: Draft) => void;
  onPublished: (post: Post) => void;
  onScheduled: (draft: Draft) => void;
  renderPreview: (open: { draftId: string; isPaid: boolean; onClose: () => void }) => ReactNode;
};

function isEmpty(form: PostForm, items: readonly UploadItem[]): boolean {
  return items.length === 0 && form.caption.trim() === '' && hasNoDetails(form) && form.people.length === 0;
}

function describeUnsaved(
  items: readonly UploadItem[],
  { isUnsaved, isWithoutPrice, isWaiting }: { isUnsaved: boolean; isWithoutPrice: boolean; isWaiting: boolean },
): string | undefined {
  const uploadCount = items.filter(isUploading).length;
  const parts = [
    ...(isUnsaved ? [texts.youHaveUnsavedChanges] : []),
    ...(isWithoutPrice ? [texts.priceNotValidYet] : []),
    ...(isWaiting ? [texts.postStaysDraft] : []),
    ...(uploadCount > 0 ? [formatText(texts.uploadsWillStop, { fileCount: formatCount(uploadCount, 'file') })] : []),
  ];
  return parts.length > 0 ? parts.join(' ') : undefined;
}

export function DraftEditor({
  draft: initialDraft,
  ownId,
  title,
  onSaved,
  onPublished,
  onScheduled,
  renderPreview,
}: DraftEditorProps) {
  const [form, setForm] = useState(() => toPostForm(initialDraft));
  const priceSchema = usePriceSchema('post');
  const obstacle = usePublishingObstacle(texts.posts);
  const [schedule, setSchedule] = useState<PostSchedule>(() => toSchedule(initialDraft?.scheduledAt ?? null));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const [isScheduling, setIsScheduling] = useState(false);
  const [isMoreOpen, setIsMoreOpen] = useState(initialDraft?.scheduledAt != null);
  const [savedDraft, setSavedDraft] = useState(initialDraft);
  const wasScheduled = initialDraft?.scheduledAt != null;
  const files = usePostFiles({
    ownerId: ownId,
    draftId: savedDraft?.id,
    initial: (initialDraft?.media ?? []).map(({ media, alt }) => toMediaItem(media, alt)),
  });
  const { items } = files;
  const now = useNow(schedule.isLater);

  const scheduledAt = wasScheduled ? (parsePostSchedule(schedule, 0).at ?? initialDraft?.scheduledAt ?? null) : null;
  const { body, invalidReason, isWithoutPrice } = toSaveableDraft(form, items, {
    scheduledAt,
    savedPrice: savedDraft?.price ?? 0,
    priceSchema,
  });
  const autosave = useAutosave({
    draft: initialDraft,
    body,
    invalidReason,
    hasStarted: items.length > 0,
    isAutomatic: !wasScheduled,
    onSaved: (draft) => {
      setSavedDraft(draft);
      onSaved(draft);
    },
  });
  const isUnsaved = autosave.isDirty && !isEmpty(form, items);
  const { form: formRef, focusPosition } = useErrorFocus();
  const showError = ({ position }: FormError) => {
    if (isInMorePanel(position)) setIsMoreOpen(true);
    focusPosition(position);
  };
  const findTimeError = (): FormError | undefined => {
    const { error } = parsePostSchedule(schedule, now);
    return error === undefined ? undefined : { position: 'when', message: error };
  };
  /** The first error in the order of the page. */
  const findFirstError = () => findFilesError(items) ?? findFieldsError(form, priceSchema) ?? findTimeError();
  const publish = useApiMutation(publishDraft, {
    showErrorMessage: false,
    onSuccess: onPublished,
    onError: (error) => {
      const [first] = error instanceof ApiError ? toFormErrors(error.fields, items) : [];
      if (first) showError(first);
    },
  });
  const serverErrors = publish.error instanceof ApiError ? toFormErrors(publish.error.fields, items) : [];
  const isBusy = publish.isPending || isScheduling;
  const failure =
    (serverErrors.length === 0 ? publish.error?.message : undefined) ??
    (autosave.state.kind === 'failed' ? autosave.state.message : undefined);

  const fileWait = useFileWait(files, schedule.isLater);
  const submit = async () => {
    setIsSubmitted(true);
    publish.reset();
    if (isBusy) return;
    const error = findFirstError();
    if (error) return showError(error);
    if (fileWait.isPending) return fileWait.start();
    setIsScheduling(true);
    const at = parsePostSchedule(schedule, now).at;
    const saved = await autosave.flush(at === null && !wasScheduled ? undefined : { ...body, scheduledAt: at });
    setIsScheduling(false);
    if (!saved) return;
    if (at !== null) onScheduled(saved);
    else publish.mutate({ params: { id: saved.id }, body: { version: saved.version } });
  };
  useWhenDue(fileWait.isDue, () => {
    fileWait.stop();
    void submit();
  });
  const loadTheirs = (theirs: Draft) => {
    setSavedDraft(theirs);
    setForm(toPostForm(theirs));
    setSchedule(toSchedule(theirs.scheduledAt));
    files.replaceMedia(theirs.media);
    autosave.rebase(theirs);
  };
  const verb = schedule.isLater ? (wasScheduled ? texts.save : texts.schedule) : texts.publish;
  const price = getPrice(form, priceSchema);

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 pt-3 pb-2 lg:pt-7 lg:pb-6">
        <h1 className="display d3 lg:text-d2">{title}</h1>
        <span className="min-w-min flex-1">
          <SaveStatus state={autosave.state} isDirty={isUnsaved} isWithoutPrice={isWithoutPrice} />
        </span>
        <Button variant="quiet" disabled={isEmpty(form, items)} onClick={() => void autosave.flush()}>
          {wasScheduled ? texts.saveChanges : texts.saveDraft}
        </Button>
      </div>
      {initialDraft?.failure && (
        <div className="pb-5">
          <Banner kind="error" inline>
            {formatText(texts.scheduledPublishingFailed, { failure: initialDraft.failure })}
          </Banner>
        </div>
      )}
      {autosave.state.kind === 'gone' && (
        <div className="pb-5">
          <DeletedDraftBanner onSaveAsNew={() => autosave.rebase(undefined)} />
        </div>
      )}
      <form
        ref={formRef}
        className="form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!fileWait.isWaiting) void submit();
        }}
        noValidate
      >
        <FileTiles
          files={files}
          onText={(text) => setForm({ ...form, caption: appendText(form.caption, text) })}
          error={findMessageAt([isSubmitted ? findFilesError(items) : undefined, ...serverErrors], 'files')}
          library={
            <LibraryPicker
              draftId={autosave.draft?.id}
              excludedIds={new Set(items.flatMap(({ mediaId }) => mediaId ?? []))}
              onAdd={files.addMedia}
            />
          }
        />
        <PostFields
          form={form}
          priceSchema={priceSchema}
          onChange={(change) => setForm({ ...form, ...change })}
          errors={serverErrors}
          isSubmitted={isSubmitted}
        />
        <MoreFields
          form={form}
          onChange={(change) => setForm({ ...form, ...change })}
          errors={serverErrors}
          isSubmitted={isSubmitted}
          ownId={ownId}
          isOpen={isMoreOpen}
          onOpenChange={setIsMoreOpen}
          schedule={{
            label: schedule.isLater ? texts.atAScheduledTime : 'now',
            field: <ScheduleField value={schedule} onChange={setSchedule} isSubmitted={isSubmitted} now={now} />,
          }}
        />
        {obstacle !== undefined && !form.isPaid && <InlineError message={obstacle} href={PATHS.creatorVerification} />}
        <PublishBar failure={isSubmitted && failure !== obstacle ? failure : undefined}>
          <IconButton
            icon="eye"
            label={texts.preview}
            disabled={!items.some(({ state }) => state === 'ready')}
            onClick={async () => setIsPreviewed((await autosave.flush()) !== undefined)}
          />
          <SubmitButton
            label={price > 0 ? `${verb} · ${formatUsd(price)}` : verb}
            busyText={`${verb}…`}
            isBusy={isBusy}
            waitingText={schedule.isLater ? texts.schedulingWhenUploaded : texts.publishingWhenReady}
            isWaiting={fileWait.isWaiting}
            onCancel={fileWait.stop}
          />
        </PublishBar>
      </form>
      {isPreviewed &&
        autosave.draft &&
        renderPreview({
          draftId: autosave.draft.id,
          isPaid: autosave.draft.price > 0,
          onClose: () => setIsPreviewed(false),
        })}
      {autosave.state.kind === 'conflict' && (
        <Conflict theirs={autosave.state.theirs} autosave={autosave} onTakeTheirs={loadTheirs} />
      )}
      <LeaveGuard
        unsavedMessage={describeUnsaved(items, {
          isUnsaved,
          isWithoutPrice: isWithoutPrice && !isEmpty(form, items),
          isWaiting: fileWait.isWaiting,
        })}
        onSave={isUnsaved ? async () => (await autosave.flush()) !== undefined : undefined}
      />
    </>
  );
}

type ConflictProps = { theirs: Draft; autosave: ReturnType<typeof useAutosave>; onTakeTheirs: (theirs: Draft) => void };

function Conflict({ theirs, autosave, onTakeTheirs }: ConflictProps) {
  return (
    <ConflictDialog
      theirs={theirs}
      onTheirs={() => onTakeTheirs(theirs)}
      onMine={() => {
        autosave.rebase(theirs);
        void autosave.flush();
      }}
      onBoth={() => {
        autosave.rebase(undefined);
        void autosave.flush();
      }}
    />
  );
}
