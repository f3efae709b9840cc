/** Security: detects the type by the bytes, never by the name. */
import { stat } from 'node:fs/promises';
import type { MEDIA_KINDS } from '@stagedoor/contract/content/pictures.ts';
import { PICTURE_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { fileTypeFromFile } from 'file-type';
import { MEDIA_MESSAGES, MediaError } from './error-messages.ts';
import { inspectPicture, isPicture } from './pictures.ts';
import { describeUnsupportedType } from './unsupported-types.ts';
import { findAnimation } from './video/animated.ts';
import { findDemuxer } from './video/inspect.ts';

export type MediaKind = (typeof MEDIA_KINDS)[number];

/** Throws MediaError for types that are not accepted. */
export async function sniffMediaType(file: string): Promise<{ kind: MediaKind; contentType: string }> {
  const type = await fileTypeFromFile(file);
  const contentType: string | undefined = type?.mime;
  if (contentType !== undefined && findDemuxer(contentType))
    return { kind: contentType.startsWith('audio/') ? 'audio' : 'video', contentType };
  if (contentType === undefined || !isPicture(contentType))
    throw new MediaError(await describeUnsupportedType(file, type));
  // Some checks of pictures read the whole file.
  if ((await stat(file)).size > PICTURE_LIMITS.maxBytes) throw new MediaError(MEDIA_MESSAGES.pictureTooLarge);
  if (await findAnimation(file, contentType)) return { kind: 'video', contentType };
  return { kind: 'picture', contentType: (await inspectPicture(file)).contentType };
}
