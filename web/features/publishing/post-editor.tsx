/** Edits a published post. Its files can change until the first purchase. Changes are saved only on request. */
import type { Post, PostBody } from '@stagedoor/contract/posts.ts';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { type PriceRule, usePriceRule } from '../../kernel/price-rule.ts';
import { Button } from '../../ui/button.tsx';
import { type Cause, causesOf, filesCause, usePlaces, wordsAt } from './cause.ts';
import { fieldsCause, formOf, MoreFields, PostFields, type PostForm, priceOf } from './fields.tsx';
import { FileTiles } from './file-tiles.tsx';
import { useFiles } from './files.ts';
import type { Item } from './items.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { LibraryPicker } from './library-picker.tsx';
import { PublishBar } from './publish-bar.tsx';

function itemsOf(post: Post): Item[] {
  return post.media.map((media) => {
    const { url, alt } = media.isLocked ? media.preview : media.picture;
    return {
      key: media.id,
      kind: media.kind,
      name: alt || { picture: 'Photo', video: 'Video', audio: 'Audio' }[media.kind],
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

function bodyOf({ caption, tags, people, ...form }: PostForm, rule: PriceRule, items: readonly Item[]): PostBody {
  return {
    caption: caption.trim(),
    price: priceOf(form, rule),
    media: items.map(({ key, mediaId, alt }) => ({ id: mediaId ?? key, alt })),
    tags: [...tags],
    people: people.map(({ id }) => id),
  };
}

export function PostEditor({ post, ownId, isBusy, failure, onSave }: PostEditorProps) {
  const [form, setForm] = useState(() => formOf(post));
  const rule = usePriceRule('post', post.price);
  const [initial] = useState(() => itemsOf(post));
  const files = useFiles({ ownerId: ownId, draftId: undefined, initial });
  const { items } = files;
  const [start] = useState(() => JSON.stringify(bodyOf(form, rule, items)));
  const [isTried, setIsTried] = useState(false);
  const [isMore, setIsMore] = useState(false);
  const { form: place, show } = usePlaces();
  const body = bodyOf(form, rule, items);
  const told = failure instanceof ApiError ? causesOf(failure.fields, items) : [];
  const showCause = ({ place: at }: Cause) => {
    if (at === 'tags' || at === 'people') setIsMore(true);
    show(at);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isBusy) return;
    const cause = filesCause(items, false) ?? fieldsCause(form, rule);
    if (cause) return showCause(cause);
    onSave(body).catch((error: unknown) => {
      const [first] = error instanceof ApiError ? causesOf(error.fields, items) : [];
      if (first) showCause(first);
    });
  };
  const fields = { form, onChange: (change: Partial<PostForm>) => setForm({ ...form, ...change }), causes: told };
  return (
    <form ref={place} className="form" onSubmit={submit} noValidate>
      <FileTiles
        files={files}
        error={wordsAt([isTried ? filesCause(items, false) : undefined, ...told], 'files')}
        library={
          <LibraryPicker without={new Set(items.flatMap(({ mediaId }) => mediaId ?? []))} onAdd={files.addMedia} />
        }
      />
      <PostFields {...fields} rule={rule} isTried={isTried} isSelling={post.price > 0} />
      <MoreFields {...fields} ownId={ownId} isOpen={isMore} onOpenChange={setIsMore} />
      <PublishBar failure={told.length === 0 ? failure?.message : undefined}>
        <Button type="submit" variant="primary" size="lg" wide busy={isBusy} busyText="Saving…">
          Save
        </Button>
      </PublishBar>
      <LeaveGuard isSaving={isBusy} stake={JSON.stringify(body) === start ? undefined : 'You have unsaved changes.'} />
    </form>
  );
}
