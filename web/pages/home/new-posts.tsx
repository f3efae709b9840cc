import { listCreators } from '@stagedoor/contract/content/profiles.ts';
import { useQueryClient } from '@tanstack/react-query';
import { NewPostBar, useNewPostFlag, useNewPosts } from '../../modules/content/posts/new-post-bar.tsx';
import { routeKey } from '../../platform/query.ts';

export function NewPosts({ viewerId }: { viewerId: string }) {
  const client = useQueryClient();
  const flag = useNewPostFlag();
  useNewPosts(flag, ({ creatorId }) => creatorId !== viewerId);
  return <NewPostBar flag={flag} onTop={() => void client.invalidateQueries({ queryKey: routeKey(listCreators) })} />;
}
