/** The details of a post (contract/content/post-details.ts) on its page. Types require a view for each detail. */
import type { PostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import type { ComponentType } from 'react';
import * as texts from './texts.ts';

type DetailViewProps = {
  post: Post;
  /** A preview has the id of a draft, so a view must not load data of the post. */
  isPreview: boolean;
};

function PostTags({ post: { tags } }: Pick<DetailViewProps, 'post'>) {
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

function SubscriptionNote({ post: { isSubscribed } }: Pick<DetailViewProps, 'post'>) {
  return isSubscribed ? <p className="mt-3 text-small text-muted">{texts.includedInSubscription}</p> : null;
}

const VIEWS: Readonly<Record<keyof PostDetails, ComponentType<DetailViewProps>>> = {
  tags: PostTags,
  subscribers: SubscriptionNote,
};

export function PostDetailsView(props: DetailViewProps) {
  return Object.entries(VIEWS).map(([name, View]) => <View key={name} {...props} />);
}
