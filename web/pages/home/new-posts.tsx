import { listCreators } from '@stagedoor/contract/profiles.ts';
import { useQueryClient } from '@tanstack/react-query';
import { NewPostBar, useNewPostFlag, useNewPosts } from '../../features/posts/new-post-bar.tsx';
import { routeKey } from '../../kernel/query.ts';

export function NewPosts({ viewerId }: { viewerId: string }) {
  const client = useQueryClient();
  const flag = useNewPostFlag();
  useNewPosts(flag, ({ creatorId }) => creatorId !== viewerId);
  return <NewPostBar flag={flag} onTop={() => void client.invalidateQueries({ queryKey: routeKey(listCreators) })} />;
}
