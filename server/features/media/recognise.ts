/** Security: detects the type by the bytes, never by the name. */
import { stat } from 'node:fs/promises';
import { PICTURE } from '@stagedoor/contract/atoms/limits.ts';
import { fileTypeFromFile } from 'file-type';
import { inspectPicture, isPicture } from './pictures.ts';
import { refusalOf } from './refusals.ts';
import { MediaError, SENTENCES } from './sentences.ts';
import type { MediaKind } from './store.ts';
import { movementOf } from './video/animated.ts';
import { demuxerOf } from './video/inspect.ts';

/** Throws MediaError for types that are not accepted. */
export async function recognise(file: string): Promise<{ kind: MediaKind; contentType: string }> {
  const type = await fileTypeFromFile(file);
  const contentType: string | undefined = type?.mime;
  if (contentType !== undefined && demuxerOf(contentType))
    return { kind: contentType.startsWith('audio/') ? 'audio' : 'video', contentType };
  if (contentType === undefined || !isPicture(contentType)) throw new MediaError(await refusalOf(file, type));
  // Some checks of pictures read the whole file.
  if ((await stat(file)).size > PICTURE.maxBytes) throw new MediaError(SENTENCES.pictureBytes);
  if (await movementOf(file, contentType)) return { kind: 'video', contentType };
  return { kind: 'picture', contentType: (await inspectPicture(file)).contentType };
}
