/** The details of a post (contract/content/post-details.ts) on its page. Types require a view for each detail. */
import type { PostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import type { ComponentType } from 'react';
import * as texts from './texts.ts';

type DetailViewProps = { post: Post };

function PostTags({ post: { tags } }: DetailViewProps) {
  if (tags.length === 0) return null;
  return (
    <ul className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-small text-muted" aria-label={texts.tags}>
      {tags.map((tag) => (
        <li key={tag} className="wrap-anywhere">
          <bdi>#{tag}</bdi>
        </li>
      ))}
    </ul>
  );
}

const VIEWS: Readonly<Record<keyof PostDetails, ComponentType<DetailViewProps>>> = { tags: PostTags };

export function PostDetailsView({ post }: DetailViewProps) {
  return Object.entries(VIEWS).map(([name, View]) => <View key={name} post={post} />);
}
