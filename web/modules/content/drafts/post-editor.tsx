/** Edits a published post. Its files can change until the first purchase. Changes are saved only on request. */
import type { Post, PostBody } from '@stagedoor/contract/content/posts.ts';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { type PriceSchema, usePriceSchema } from '../../../platform/price-schema.ts';
import { useWhenDue } from '../../../platform/use-when-due.ts';
import { completeDetails } from './detail-fields.tsx';
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
import type { UploadItem } from './items.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { LibraryPicker } from './library-picker.tsx';
import { PublishBar, SubmitButton } from './publish-bar.tsx';
import * as texts from './texts.ts';
import { useFileWait } from './use-file-wait.ts';
import { usePostFiles } from './use-files.ts';

function toItems(post: Post): UploadItem[] {
  return post.media.map((media) => {
    const { url, alt } = media.isLocked ? media.preview : media.picture;
    return {
      key: media.id,
      kind: media.kind,
      name: alt || { picture: texts.photo, video: texts.video, audio: texts.audio }[media.kind],
      byteSize: media.byteSize,
      sent: media.byteSize,
      rate: undefined,
      state: 'ready',
      failure: undefined,
      mediaId: media.id,
      stage: 'done',
      progress: 1,
      durationSeconds: media.durationSeconds,
      isUsed: false,
      leftOutSubtitles: 0,
      alt,
      src: url,
    };
  });
}

export type PostEditorProps = {
  post: Post;
  ownId: string;
  isBusy: boolean;
  failure: Error | null;
  /** Rejects when it could not be saved. */
  onSave: (body: PostBody) => Promise<unknown>;
};

function toPostBody(form: PostForm, priceSchema: PriceSchema, items: readonly UploadItem[]): PostBody {
  const { caption, people } = form;
  return {
    caption: caption.trim(),
    price: getPrice(form, priceSchema),
    media: items.map(({ key, mediaId, alt }) => ({ id: mediaId ?? key, alt })),
    ...completeDetails(form),
    people: people.map(({ id }) => id),
  };
}

export function PostEditor({ post, ownId, isBusy, failure, onSave }: PostEditorProps) {
  const [form, setForm] = useState(() => toPostForm(post));
  const priceSchema = usePriceSchema('post', post.price);
  const [initial] = useState(() => toItems(post));
  const files = usePostFiles({ ownerId: ownId, draftId: undefined, initial });
  const { items } = files;
  const [initialText] = useState(() => JSON.stringify(toPostBody(form, priceSchema, items)));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [isMoreOpen, setIsMoreOpen] = useState(false);
  const { form: formRef, focusPosition } = useErrorFocus();
  const body = toPostBody(form, priceSchema, items);
  const serverErrors = failure instanceof ApiError ? toFormErrors(failure.fields, items) : [];
  const showError = ({ position }: FormError) => {
    if (isInMorePanel(position)) setIsMoreOpen(true);
    focusPosition(position);
  };
  const fileWait = useFileWait(files, false);
  const submit = () => {
    setIsSubmitted(true);
    if (isBusy) return;
    const formError = findFilesError(items) ?? findFieldsError(form, priceSchema);
    if (formError) return showError(formError);
    if (fileWait.isPending) return fileWait.start();
    onSave(body).catch((error: unknown) => {
      const [first] = error instanceof ApiError ? toFormErrors(error.fields, items) : [];
      if (first) showError(first);
    });
  };
  useWhenDue(fileWait.isDue, () => {
    fileWait.stop();
    submit();
  });
  const fields = {
    form,
    onChange: (change: Partial<PostForm>) => setForm({ ...form, ...change }),
    errors: serverErrors,
    isSubmitted,
  };
  return (
    <form
      ref={formRef}
      className="form"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!fileWait.isWaiting) submit();
      }}
      noValidate
    >
      <FileTiles
        files={files}
        error={findMessageAt([isSubmitted ? findFilesError(items) : undefined, ...serverErrors], 'files')}
        library={
          <LibraryPicker excludedIds={new Set(items.flatMap(({ mediaId }) => mediaId ?? []))} onAdd={files.addMedia} />
        }
      />
      <PostFields {...fields} priceSchema={priceSchema} isOnSale={post.price > 0} />
      <MoreFields {...fields} ownId={ownId} isOpen={isMoreOpen} onOpenChange={setIsMoreOpen} />
      <PublishBar failure={serverErrors.length === 0 ? failure?.message : undefined}>
        <SubmitButton
          label={texts.save}
          busyText={texts.saving}
          isBusy={isBusy}
          waitingText={texts.savingWhenReady}
          isWaiting={fileWait.isWaiting}
          onCancel={fileWait.stop}
        />
      </PublishBar>
      <LeaveGuard
        isSaving={isBusy}
        unsavedMessage={JSON.stringify(body) === initialText ? undefined : texts.youHaveUnsavedChanges}
      />
    </form>
  );
}
