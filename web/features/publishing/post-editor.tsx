/** Changing a published post: its files stay, everything else may change; kept when asked. */
import type { Post, PostBody } from '@stagedoor/contract/posts.ts';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { formOf, PostFields, type PostForm, priceComplaint, priceOf, wordsComplaint } from './fields.tsx';
import { FileList } from './file-list.tsx';
import type { Files } from './files.ts';
import { type Item, itemsReducer } from './items.ts';
import { LeaveGuard } from './leave-guard.tsx';

/** A post's media as files that are whole and stay. */
function itemsOf(post: Post): Item[] {
  return post.media.map((media) => {
    const { url, alt } = media.isLocked ? media.preview : media.picture;
    return {
      key: media.id,
      kind: media.kind,
      name: alt || { picture: 'Picture', video: 'Video', audio: 'Audio' }[media.kind],
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

/** Files of which only order and words change. */
function fixedFiles(items: readonly Item[], set: (items: Item[]) => void): Files {
  const none = () => undefined;
  return {
    items,
    add: () => [],
    addMedia: none,
    pause: none,
    resume: none,
    chooseAgain: none,
    readAgain: async () => false,
    remove: none,
    show: none,
    move: (key, to) => set(itemsReducer(items, { kind: 'moved', key, to })),
    describe: (key, alt) => set(itemsReducer(items, { kind: 'changed', key, change: { alt } })),
  };
}

export type PostEditorProps = {
  post: Post;
  ownId: string;
  isBusy: boolean;
  failure: Error | null;
  onSave: (body: PostBody) => void;
};

function bodyOf({ caption, tags, people, ...form }: PostForm, items: readonly Item[]): PostBody {
  return {
    caption: caption.trim(),
    price: priceOf(form),
    media: items.map(({ key, alt }) => ({ id: key, alt })),
    tags: [...tags],
    people: people.map(({ id }) => id),
  };
}

export function PostEditor({ post, ownId, isBusy, failure, onSave }: PostEditorProps) {
  const [form, setForm] = useState(() => formOf(post));
  const [items, setItems] = useState(() => itemsOf(post));
  const [start] = useState(() => JSON.stringify(bodyOf(form, items)));
  const body = bodyOf(form, items);
  const complaint = priceComplaint(form) ?? wordsComplaint(form);
  const isChanged = JSON.stringify(body) !== start;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!complaint && !isBusy) onSave(body);
  };
  return (
    <form className="form" onSubmit={submit} noValidate>
      <FileList files={fixedFiles(items, setItems)} isFixed />
      <PostFields
        form={form}
        onChange={(change) => setForm({ ...form, ...change })}
        ownId={ownId}
        complaints={failure instanceof ApiError ? failure.fields : {}}
      />
      <div>
        {failure && (
          <p role="alert" className="pb-3 text-small text-danger">
            {failure.message}
          </p>
        )}
        <Button type="submit" variant="primary" size="lg" wide busy={isBusy} busyText="Save…">
          Save
        </Button>
      </div>
      <LeaveGuard stake={isChanged && !isBusy ? 'Your changes are not saved.' : undefined} />
    </form>
  );
}
