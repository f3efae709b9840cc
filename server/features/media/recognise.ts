/** What an upload is, by its bytes and never by its name. */
import { fileTypeFromFile } from 'file-type';
import { inspectPicture } from './pictures.ts';
import { MediaError, SENTENCES } from './sentences.ts';
import type { MediaKind } from './store.ts';
import { demuxerOf } from './video/inspect.ts';

/** Type and kind of a complete upload. Throws MediaError with a sentence for everything that is not accepted. */
export async function recognise(file: string): Promise<{ kind: MediaKind; contentType: string }> {
  const type = await fileTypeFromFile(file);
  const contentType: string | undefined = type?.mime;
  if (contentType !== undefined && demuxerOf(contentType))
    return { kind: contentType.startsWith('audio/') ? 'audio' : 'video', contentType };
  if (contentType === undefined || !contentType.startsWith('image/')) throw new MediaError(SENTENCES.type);
  return { kind: 'picture', contentType: (await inspectPicture(file)).contentType };
}
