/** Validates documents: the content must match the extension. */
import { readFile } from 'node:fs/promises';
import { DOCUMENT_TYPES } from '@stagedoor/contract/messages.ts';

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';
/** Old Office files are compound files (CFB), and Word also opens RTF under its own extension. */
const [FOLDER_FILE, RTF, PDF] = ['application/x-cfb', 'application/rtf', 'application/pdf'];
const FORMS: Readonly<Record<DocumentType, readonly string[] | 'text'>> = {
  pdf: [PDF],
  txt: 'text',
  csv: 'text',
  md: 'text',
  rtf: [RTF],
  doc: [FOLDER_FILE, RTF],
  docx: [`${OFFICE}.wordprocessingml.document`],
  xls: [FOLDER_FILE],
  xlsx: [`${OFFICE}.spreadsheetml.sheet`],
  ppt: [FOLDER_FILE],
  pptx: [`${OFFICE}.presentationml.presentation`],
  odt: [`${OPEN}.text`],
  ods: [`${OPEN}.spreadsheet`],
  odp: [`${OPEN}.presentation`],
  epub: ['application/epub+zip'],
  zip: ['application/zip'],
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text has not
const NO_TEXT = /[\0-\x08\x0e-\x1f\x7f]/;
/** DOS ends a text with this character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is one
const END_OF_TEXT = /\x1a$/;
/** PDF readers look for the header in this many bytes. */
const PDF_WITHIN = 1_024;
/** The first bytes of a ZIP file (APPNOTE 4.3.7). */
const ZIP_ENTRY = Buffer.from('PK\x03\x04', 'latin1');
/** The stream of a compound file that contains a password-protected Office document (MS-OFFCRYPTO 1.3.2). */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

export function documentTypeOf(name: string): DocumentType | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return DOCUMENT_TYPES.find((known) => known === ending);
}

/** Uses the byte order mark. Any other encoding keeps ASCII, so Latin-1 stands for it. */
function encodingOf(beginning: Buffer): string {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le';
  return beginning[0] === 0xfe && beginning[1] === 0xff ? 'utf-16be' : 'latin1';
}

function isText(bytes: Buffer): boolean {
  return !NO_TEXT.test(new TextDecoder(encodingOf(bytes)).decode(bytes).replace(END_OF_TEXT, ''));
}

/**
 * `found` is the type detected from the content. Under a text extension only a detected PDF or RTF counts, because
 * other detections are guesses from the first letters.
 */
export async function isDocument(place: string, type: DocumentType, found: string | undefined): Promise<boolean> {
  const forms = FORMS[type];
  if (forms === 'text') return found !== PDF && found !== RTF && isText(await readFile(place));
  if (found !== undefined && forms.includes(found)) return true;
  const bytes = await readFile(place);
  if (type === 'pdf') return bytes.subarray(0, PDF_WITHIN).includes('%PDF-');
  if (type === 'zip') return bytes.subarray(0, 4).equals(ZIP_ENTRY);
  return found === FOLDER_FILE && /^(?:docx|xlsx|pptx)$/.test(type) && bytes.includes(ENCRYPTED);
}

export async function isWritten(place: string, name: string, found: string | undefined): Promise<boolean> {
  const type = documentTypeOf(name);
  return type !== undefined && FORMS[type] === 'text' && (await isDocument(place, type, found));
}
