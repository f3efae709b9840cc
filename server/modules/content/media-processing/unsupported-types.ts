/** Messages for files that are not accepted. */
import { open } from 'node:fs/promises';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { FileTypeResult } from 'file-type';
import { MEDIA_MESSAGES } from './error-messages.ts';
import * as texts from './texts.ts';

const EXPORT_PICTURE = texts.exportAsImageAdvice;
const EXPORT_VIDEO = texts.exportAsVideoAdvice;
const EXPORT_AUDIO = texts.exportAsAudioAdvice;
const UNPACK = texts.extractFilesAdvice;
const EXPORT_PAGES = texts.exportPagesAdvice;
const USE_ACCEPTED_TYPES = texts.uploadSupportedTypeAdvice;

const KNOWN_TYPES: ReadonlyMap<string, readonly [name: string, advice: string]> = new Map([
  ['image/vnd.adobe.photoshop', ['a Photoshop file (PSD)', EXPORT_PICTURE]],
  ['image/x-xcf', ['a GIMP file (XCF)', EXPORT_PICTURE]],
  ['image/tiff', ['a TIFF image', EXPORT_PICTURE]],
  ['image/bmp', ['a bitmap (BMP)', EXPORT_PICTURE]],
  ['image/x-icon', ['an icon (ICO)', EXPORT_PICTURE]],
  ['image/icns', ['an icon (ICNS)', EXPORT_PICTURE]],
  ['image/jxl', ['a JPEG XL image', EXPORT_PICTURE]],
  ['image/jp2', ['a JPEG 2000 image', EXPORT_PICTURE]],
  ['image/jpx', ['a JPEG 2000 image', EXPORT_PICTURE]],
  ['image/jpm', ['a JPEG 2000 image', EXPORT_PICTURE]],
  ['image/j2c', ['a JPEG 2000 image', EXPORT_PICTURE]],
  ['image/mj2', ['a Motion JPEG 2000 video', EXPORT_VIDEO]],
  ['image/jls', ['a JPEG-LS image', EXPORT_PICTURE]],
  ['image/vnd.ms-photo', ['a JPEG XR image', EXPORT_PICTURE]],
  ['image/bpg', ['a BPG image', EXPORT_PICTURE]],
  ['image/flif', ['a FLIF image', EXPORT_PICTURE]],
  ['image/svg+xml', ['a drawing (SVG)', EXPORT_PICTURE]],
  ['image/aces', ['an OpenEXR image', EXPORT_PICTURE]],
  ['image/vnd.radiance', ['a Radiance image (HDR)', EXPORT_PICTURE]],
  ['image/vnd.ms-dds', ['a texture (DDS)', EXPORT_PICTURE]],
  ['image/ktx', ['a texture (KTX)', EXPORT_PICTURE]],
  ['image/vnd.djvu', ['a scanned document (DjVu)', EXPORT_PAGES]],
  ['image/vnd.dwg', ['an AutoCAD drawing (DWG)', EXPORT_PICTURE]],
  ['image/heic-sequence', ['a HEIC burst', texts.exportBestPhotoAdvice]],
  ['image/heif-sequence', ['a HEIF burst', texts.exportBestPhotoAdvice]],
  ['image/x-canon-cr2', ['a Canon raw photo (CR2)', EXPORT_PICTURE]],
  ['image/x-canon-cr3', ['a Canon raw photo (CR3)', EXPORT_PICTURE]],
  ['image/x-nikon-nef', ['a Nikon raw photo (NEF)', EXPORT_PICTURE]],
  ['image/x-sony-arw', ['a Sony raw photo (ARW)', EXPORT_PICTURE]],
  ['image/x-adobe-dng', ['a raw photo (DNG)', EXPORT_PICTURE]],
  ['image/x-olympus-orf', ['an Olympus raw photo (ORF)', EXPORT_PICTURE]],
  ['image/x-panasonic-rw2', ['a Panasonic raw photo (RW2)', EXPORT_PICTURE]],
  ['image/x-fujifilm-raf', ['a Fujifilm raw photo (RAF)', EXPORT_PICTURE]],
  ['application/x-clip-studio', ['a Clip Studio file', EXPORT_PICTURE]],
  ['application/postscript', ['an Illustrator or PostScript file', EXPORT_PICTURE]],
  ['application/eps', ['a drawing (EPS)', EXPORT_PICTURE]],
  ['application/x-indesign', ['an InDesign file (INDD)', EXPORT_PAGES]],
  ['application/pdf', ['a PDF document', EXPORT_PAGES]],
  ['application/epub+zip', ['an e-book (EPUB)', EXPORT_PAGES]],
  ['application/x-mobipocket-ebook', ['an e-book (MOBI)', EXPORT_PAGES]],
  ['application/rtf', ['a text document (RTF)', EXPORT_PAGES]],
  ['application/x-cfb', ['an older Office document', EXPORT_PAGES]],
  ['application/dicom', ['a medical image (DICOM)', EXPORT_PICTURE]],
  ['application/x-shockwave-flash', ['a Flash animation (SWF)', EXPORT_VIDEO]],
  ['application/vnd.rn-realmedia', ['a RealMedia file', EXPORT_VIDEO]],
  ['application/vnd.ms-asf', ['a Windows Media file (WMV or WMA)', EXPORT_VIDEO]],
  ['video/x-ms-asf', ['a Windows Media video (WMV)', EXPORT_VIDEO]],
  ['audio/x-ms-asf', ['a Windows Media audio file (WMA)', EXPORT_AUDIO]],
  ['application/mxf', ['a studio video (MXF)', EXPORT_VIDEO]],
  ['video/x-flv', ['a Flash video (FLV)', EXPORT_VIDEO]],
  ['video/mpeg', ['an MPEG video', EXPORT_VIDEO]],
  ['video/MP1S', ['an MPEG video', EXPORT_VIDEO]],
  ['video/MP2P', ['an MPEG-2 video (MPG or VOB)', EXPORT_VIDEO]],
  ['video/mp2t', ['an MPEG transport stream (TS or MTS)', EXPORT_VIDEO]],
  ['application/vnd.apple.mpegurl', ['a playlist (M3U8)', texts.uploadVideoItselfAdvice]],
  ['audio/aiff', ['an AIFF file', EXPORT_AUDIO]],
  ['audio/x-caf', ['a Core Audio file (CAF)', EXPORT_AUDIO]],
  ['audio/ape', ['a Monkey’s Audio file (APE)', EXPORT_AUDIO]],
  ['audio/wavpack', ['a WavPack file', EXPORT_AUDIO]],
  ['audio/amr', ['an AMR recording', EXPORT_AUDIO]],
  ['audio/midi', ['a MIDI file', EXPORT_AUDIO]],
  ['audio/vnd.dolby.dd-raw', ['a Dolby audio file (AC-3)', EXPORT_AUDIO]],
  ['audio/x-dsf', ['a DSD audio file (DSF)', EXPORT_AUDIO]],
  ['audio/x-dff', ['a DSD audio file (DFF)', EXPORT_AUDIO]],
  ['text/vtt', ['captions (WebVTT)', texts.addCaptionsToVideoAdvice]],
  ['text/html', ['a web page (HTML)', USE_ACCEPTED_TYPES]],
  ['application/xml', ['an XML file', USE_ACCEPTED_TYPES]],
  ['text/plain', ['a text file', USE_ACCEPTED_TYPES]],
  ['application/zip', ['a ZIP archive', UNPACK]],
  ['application/x-rar-compressed', ['a RAR archive', UNPACK]],
  ['application/x-7z-compressed', ['a 7-Zip archive', UNPACK]],
  ['application/x-tar', ['a TAR archive', UNPACK]],
  ['application/gzip', ['a compressed file (GZIP)', UNPACK]],
  ['application/x-bzip2', ['a compressed file (BZIP2)', UNPACK]],
  ['application/x-xz', ['a compressed file (XZ)', UNPACK]],
  ['application/zstd', ['a compressed file (ZST)', UNPACK]],
  ['application/x-apple-diskimage', ['a disk image (DMG)', UNPACK]],
  ['application/x-iso9660-image', ['a disk image (ISO)', UNPACK]],
  ['application/x-msdownload', ['a Windows program', USE_ACCEPTED_TYPES]],
  ['application/x-elf', ['a Linux program', USE_ACCEPTED_TYPES]],
  ['application/x-mach-binary', ['a macOS program', USE_ACCEPTED_TYPES]],
  ['application/vnd.android.package-archive', ['an Android app (APK)', USE_ACCEPTED_TYPES]],
  ['application/x-blender', ['a Blender scene', texts.exportImageOrVideoAdvice]],
]);

const TYPE_FAMILIES: readonly (readonly [prefix: string, name: (extension: string) => string, advice: string])[] = [
  ['image/', (extension) => formatText(texts.imageType, { extension }), EXPORT_PICTURE],
  ['video/', (extension) => formatText(texts.videoType, { extension }), EXPORT_VIDEO],
  ['audio/', (extension) => formatText(texts.audioFileType, { extension }), EXPORT_AUDIO],
  ['font/', () => 'a font', USE_ACCEPTED_TYPES],
  ['model/', (extension) => formatText(texts.threeDimensionalModelType, { extension }), texts.exportImageOrVideoAdvice],
  [
    'application/vnd.openxmlformats-officedocument',
    (extension) => formatText(texts.officeDocumentType, { extension }),
    EXPORT_PAGES,
  ],
  [
    'application/vnd.oasis.opendocument',
    (extension) => formatText(texts.officeDocumentType, { extension }),
    EXPORT_PAGES,
  ],
  ['application/vnd.ms-', (extension) => formatText(texts.officeDocumentType, { extension }), EXPORT_PAGES],
  ['application/vnd.apple.', (extension) => formatText(texts.iworkDocumentType, { extension }), EXPORT_PAGES],
  ['', (extension) => formatText(texts.otherFileType, { extension }), USE_ACCEPTED_TYPES],
];

/** Used for files that the detection library does not recognize. The first match counts. */
const TEXT_SIGNATURES: readonly (readonly [pattern: RegExp, contentType: string])[] = [
  [/^\s*(?:<(?:\?xml|!--|!doctype svg)[\s\S]*)?<svg[\s/>]/i, 'image/svg+xml'],
  [/^\s*<(?:!doctype html|html|head|body)[\s>]/i, 'text/html'],
  [/^#EXTM3U/, 'application/vnd.apple.mpegurl'],
  [/^v\/1\p{Cc}/u, 'image/aces'],
  [/^#\?(?:RADIANCE|RGBE)/, 'image/vnd.radiance'],
  [/^DDS /, 'image/vnd.ms-dds'],
  [/^AT&TFORM/, 'image/vnd.djvu'],
  [/^CSFCHUNK/, 'application/x-clip-studio'],
  [/^(?:\s|[^\p{Cc}\ufffd])+$/u, 'text/plain'],
];

const HEAD_BYTES = 4096;

async function readHead(input: string | Buffer): Promise<Buffer> {
  if (Buffer.isBuffer(input)) return input.subarray(0, HEAD_BYTES);
  const file = await open(input);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function detectContentType(type: FileTypeResult | undefined, head: Buffer): string | undefined {
  if (type && type.mime !== 'application/xml') return type.mime;
  const isUtf16 = head.length >= 2 && head.readUInt16BE(0) === 0xfffe;
  // The last character may be cut off.
  const text = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(head, { stream: true });
  return TEXT_SIGNATURES.find(([pattern]) => pattern.test(text))?.[1] ?? type?.mime;
}

async function findTypeDescription(
  input: string | Buffer,
  type: FileTypeResult | undefined,
): Promise<{ name: string; advice: string } | undefined> {
  const contentType = detectContentType(type, await readHead(input));
  if (contentType === undefined) return undefined;
  const [name, advice] = KNOWN_TYPES.get(contentType) ?? [];
  if (name !== undefined && advice !== undefined) return { name, advice };
  const family = TYPE_FAMILIES.find(([prefix]) => contentType.startsWith(prefix));
  return family && { name: family[1]((type?.ext ?? '').toUpperCase()), advice: family[2] };
}

/** Where only pictures are allowed, the message for videos and audio explains this. */
export async function describeUnsupportedType(
  input: string | Buffer,
  type: FileTypeResult | undefined,
  accepted: 'picture' | 'any' = 'any',
): Promise<string> {
  const description = await findTypeDescription(input, type);
  if (accepted === 'any')
    return description
      ? formatText(texts.fileTypeNotSupported, { typeName: description.name, advice: description.advice })
      : MEDIA_MESSAGES.unknownType;
  if (!description) return MEDIA_MESSAGES.unknownPicture;
  const help = description.advice === EXPORT_PICTURE ? EXPORT_PICTURE : MEDIA_MESSAGES.wantsPicture;
  return formatText(texts.fileTypeNotSupportedHere, { typeName: description.name, advice: help });
}

export async function describeFileType(file: string, type: FileTypeResult | undefined): Promise<string> {
  const description = await findTypeDescription(file, type);
  return description ? formatText(texts.detectedFileType, { typeName: description.name }) : '';
}
