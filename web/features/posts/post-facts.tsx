import type { Post } from '@stagedoor/contract/posts.ts';
import { formatDuration } from '../../kernel/dates.ts';
import { FactList } from '../../ui/facts.tsx';

export function PostFacts({ post }: { post: Post }) {
  const pictures = post.media.filter((item) => item.kind === 'picture');
  const videos = post.media.filter((item) => item.kind === 'video');
  const audios = post.media.filter((item) => item.kind === 'audio');
  const lengthOf = (items: typeof videos) =>
    formatDuration(items.reduce((sum, item) => sum + (item.durationSeconds ?? 0), 0));
  return (
    <FactList
      facts={[
        ...(videos.length > 0 ? [{ name: 'Video', value: lengthOf(videos) }] : []),
        ...(audios.length > 0 ? [{ name: 'Audio', value: lengthOf(audios) }] : []),
        ...(pictures.length > 0 ? [{ name: 'Photos', value: `${pictures.length}, full size` }] : []),
        { name: 'Once unlocked', value: 'View anytime' },
      ]}
    />
  );
}
