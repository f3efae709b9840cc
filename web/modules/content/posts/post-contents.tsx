import type { Post } from '@stagedoor/contract/content/posts.ts';
import { formatDuration } from '../../../platform/dates.ts';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import * as texts from './texts.ts';

export function PostContents({ post }: { post: Post }) {
  const pictures = post.media.filter((item) => item.kind === 'picture');
  const videos = post.media.filter((item) => item.kind === 'video');
  const audios = post.media.filter((item) => item.kind === 'audio');
  const formatTotalLength = (items: typeof videos) =>
    formatDuration(items.reduce((sum, item) => sum + (item.durationSeconds ?? 0), 0));
  return (
    <DefinitionList
      items={[
        ...(videos.length > 0 ? [{ name: 'Video', value: formatTotalLength(videos) }] : []),
        ...(audios.length > 0 ? [{ name: 'Audio', value: formatTotalLength(audios) }] : []),
        ...(pictures.length > 0 ? [{ name: 'Photos', value: `${pictures.length}, full size` }] : []),
        { name: texts.onceUnlocked, value: texts.viewAnytime },
      ]}
    />
  );
}
