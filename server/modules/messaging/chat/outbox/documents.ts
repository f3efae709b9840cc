/** Validates documents: the content must match the extension. */
import { readFile } from 'node:fs/promises';
import { CHAT_DOCUMENT_TYPES } from '@stagedoor/contract/messaging/messages.ts';

export type ChatDocumentType = (typeof CHAT_DOCUMENT_TYPES)[number];

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';
/** Old Office files are compound files (CFB), and Word also opens RTF under its own extension. */
const [COMPOUND_FILE, RTF, PDF] = ['application/x-cfb', 'application/rtf', 'application/pdf'];
const CONTENT_TYPES: Readonly<Record<ChatDocumentType, readonly string[] | 'text'>> = {
  pdf: [PDF],
  txt: 'text',
  csv: 'text',
  md: 'text',
  rtf: [RTF],
  doc: [COMPOUND_FILE, RTF],
  docx: [`${OFFICE}.wordprocessingml.document`],
  xls: [COMPOUND_FILE],
  xlsx: [`${OFFICE}.spreadsheetml.sheet`],
  ppt: [COMPOUND_FILE],
  pptx: [`${OFFICE}.presentationml.presentation`],
  odt: [`${OPEN_DOCUMENT}.text`],
  ods: [`${OPEN_DOCUMENT}.spreadsheet`],
  odp: [`${OPEN_DOCUMENT}.presentation`],
  epub: ['application/epub+zip'],
  zip: ['application/zip'],
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text has not
const NON_TEXT_CHARACTER = /[\0-\x08\x0e-\x1f\x7f]/;
/** DOS ends a text with this character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is one
const END_OF_TEXT = /\x1a$/;
/** PDF readers look for the header in this many bytes. */
const PDF_HEADER_BYTES = 1_024;
/** The first bytes of a ZIP file (APPNOTE 4.3.7). */
const ZIP_ENTRY = Buffer.from('PK\x03\x04', 'latin1');
/** The stream of a compound file that contains a password-protected Office document (MS-OFFCRYPTO 1.3.2). */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

export function findDocumentType(name: string): ChatDocumentType | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return CHAT_DOCUMENT_TYPES.find((known) => known === extension);
}

/** Uses the byte order mark. Any other encoding keeps ASCII, so Latin-1 stands for it. */
function detectEncoding(firstBytes: Buffer): string {
  if (firstBytes[0] === 0xff && firstBytes[1] === 0xfe) return 'utf-16le';
  return firstBytes[0] === 0xfe && firstBytes[1] === 0xff ? 'utf-16be' : 'latin1';
}

function isText(bytes: Buffer): boolean {
  return !NON_TEXT_CHARACTER.test(new TextDecoder(detectEncoding(bytes)).decode(bytes).replace(END_OF_TEXT, ''));
}

/**
 * `detectedType` is the type detected from the content. Under a text extension only a detected PDF or RTF counts, because
 * other detections are guesses from the first letters.
 */
export async function isValidDocument(
  path: string,
  type: ChatDocumentType,
  detectedType: string | undefined,
): Promise<boolean> {
  const contentTypes = CONTENT_TYPES[type];
  if (contentTypes === 'text') return detectedType !== PDF && detectedType !== RTF && isText(await readFile(path));
  if (detectedType !== undefined && contentTypes.includes(detectedType)) return true;
  const bytes = await readFile(path);
  if (type === 'pdf') return bytes.subarray(0, PDF_HEADER_BYTES).includes('%PDF-');
  if (type === 'zip') return bytes.subarray(0, 4).equals(ZIP_ENTRY);
  return detectedType === COMPOUND_FILE && /^(?:docx|xlsx|pptx)$/.test(type) && bytes.includes(ENCRYPTED);
}
