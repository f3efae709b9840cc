/** The details of a post (contract/content/post-details.ts) on its page. */
import type { PostDetails } from '@stagedoor/contract/content/post-details.ts';

function PostTags({ tags }: Pick<PostDetails, 'tags'>) {
  if (tags.length === 0) return null;
  return (
    <ul className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-small text-muted" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className="wrap-anywhere">
          <bdi>#{tag}</bdi>
        </li>
      ))}
    </ul>
  );
}

export function PostDetailsView({ details }: { details: PostDetails }) {
  return <PostTags tags={details.tags} />;
}
