/** Selects several of the creator's posts and changes who can open them, with undo. */
import type { PostAudience } from '@stagedoor/contract/content/post-details.ts';
import { listOwnPosts, type PostAudienceChange, updatePostAudiences } from '@stagedoor/contract/content/posts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { AUDIENCE_CHANGES_MAX } from '@stagedoor/contract/shared/limits.ts';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { api } from '../../../platform/mutation.ts';
import type { AudienceOption } from '../../../platform/post-audience.ts';
import { Button } from '../../../ui/button.tsx';
import { ActionBar } from '../../../ui/shell.tsx';
import { invalidatePostLists } from './cache.ts';
import * as texts from './texts.ts';

const PAGE_SIZE = 50;

/** All published posts with a price, also those that the page has not loaded. */
async function listPaidPostIds(): Promise<string[]> {
  const ids: string[] = [];
  let offset: string | undefined = '0';
  while (offset !== undefined) {
    const query = { status: 'published', limit: PAGE_SIZE, offset } as const;
    const page: { data: { post: { id: string; price: number } }[]; nextOffset?: string | undefined } = await api(
      listOwnPosts,
      { query },
    );
    ids.push(...page.data.flatMap(({ post }) => (post.price > 0 ? [post.id] : [])));
    offset = page.nextOffset;
  }
  return ids;
}

/** Sends as few requests as the limit allows. Returns what undoes the change. */
async function sendChanges(client: QueryClient, changes: readonly PostAudienceChange[]): Promise<PostAudienceChange[]> {
  const previous: PostAudienceChange[] = [];
  try {
    for (let start = 0; start < changes.length; start += AUDIENCE_CHANGES_MAX) {
      const posts = changes.slice(start, start + AUDIENCE_CHANGES_MAX);
      previous.push(...(await api(updatePostAudiences, { body: { posts } })).previous);
    }
  } finally {
    void invalidatePostLists(client);
  }
  return previous;
}

function useAudienceChange(onDone: () => void) {
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: (changes: readonly PostAudienceChange[]) => sendChanges(client, changes),
    onSuccess: () => void showToast(texts.audienceRestored, 'success'),
  });
  return useMutation({
    mutationFn: (changes: readonly PostAudienceChange[]) => sendChanges(client, changes),
    onSuccess: (previous) => {
      onDone();
      if (previous.length === 0) return void showToast(texts.audienceUnchanged, 'info');
      void showToast(formatText(texts.audienceChanged, { posts: formatCount(previous.length, 'post') }), 'success', {
        action: { label: texts.undo, onClick: () => undo.mutate(previous) },
        id: 'audience',
      });
    },
  });
}

export type AudienceSelectionBarProps = {
  selectedIds: ReadonlySet<string>;
  onSelect: (ids: readonly string[]) => void;
  onClose: () => void;
  options: readonly AudienceOption[];
};

export function AudienceSelectionBar({ selectedIds, onSelect, onClose, options }: AudienceSelectionBarProps) {
  const [audience, setAudience] = useState<PostAudience>();
  const change = useAudienceChange(onClose);
  const selectAll = useMutation({ mutationFn: listPaidPostIds, onSuccess: onSelect });
  return (
    <div className="lg:sticky lg:top-0 lg:z-[8] lg:border-b lg:border-line lg:bg-surface-0 lg:py-3">
      <ActionBar>
        <form
          className="grid gap-2 lg:flex lg:items-center"
          onSubmit={(event) => {
            event.preventDefault();
            if (audience !== undefined && selectedIds.size > 0 && !change.isPending)
              change.mutate([...selectedIds].map((id) => ({ id, subscribers: audience })));
          }}
        >
          <div className="flex min-h-11 items-center gap-1">
            <output className="num flex-1 font-semibold lg:pr-3">
              {formatText(texts.selectedCount, { count: selectedIds.size.toLocaleString('en-US') })}
            </output>
            <Button variant="quiet" disabled={selectAll.isPending} onClick={() => selectAll.mutate()}>
              {texts.selectAllPaid}
            </Button>
            <Button variant="quiet" onClick={onClose}>
              {texts.cancel}
            </Button>
          </div>
          <div className="flex items-center gap-2 lg:ml-auto">
            <select
              className="input min-w-0 flex-1"
              aria-label={texts.whoCanOpenThem}
              value={audience ?? ''}
              onChange={(event) => {
                const chosen = event.currentTarget.value;
                setAudience(options.find(({ value }) => value === chosen)?.value);
              }}
            >
              <option value="" disabled>
                {texts.whoCanOpenThem}
              </option>
              {options.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            <Button
              type="submit"
              variant="primary"
              busy={change.isPending}
              busyText={texts.applying}
              disabled={audience === undefined || selectedIds.size === 0}
            >
              {texts.apply}
            </Button>
          </div>
        </form>
      </ActionBar>
    </div>
  );
}
