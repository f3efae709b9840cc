/** Documents as people send them: accepted when their bytes are what their ending says. */
import { readFile } from 'node:fs/promises';
import { DOCUMENT_TYPES } from '@stagedoor/contract/messages.ts';

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';
/** Old Office's files are folders in a file, and Word takes RTF under its own ending. */
const [FOLDER_FILE, RTF, PDF] = ['application/x-cfb', 'application/rtf', 'application/pdf'];
/** What the bytes may be found to be. Of what is a ZIP, its parts say which. */
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
/** All below the blank but tab, line feed, vertical tab, form feed and return; and delete. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text has not
const NO_TEXT = /[\0-\x08\x0e-\x1f\x7f]/;
/** DOS ends a text with it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is one
const END_OF_TEXT = /\x1a$/;
/** Readers of PDF look for its beginning so far. */
const PDF_WITHIN = 1_024;
/** How the first file of a ZIP begins (APPNOTE 4.3.7). */
const ZIP_ENTRY = Buffer.from('PK\x03\x04', 'latin1');
/** The part of a folder file that new Office puts a document into which takes a password (MS-OFFCRYPTO 1.3.2). */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** The document's type by its name's ending. */
export function documentTypeOf(name: string): DocumentType | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return DOCUMENT_TYPES.find((known) => known === ending);
}

/** By the mark at its beginning; else any that keeps ASCII, which Latin 1 stands for. */
function encodingOf(beginning: Buffer): string {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le';
  return beginning[0] === 0xfe && beginning[1] === 0xff ? 'utf-16be' : 'latin1';
}

/** Whether these are text, of whatever encoding. */
function isText(bytes: Buffer): boolean {
  return !NO_TEXT.test(new TextDecoder(encodingOf(bytes)).decode(bytes).replace(END_OF_TEXT, ''));
}

/**
 * Whether a file is of that type; `found` is what its first bytes and parts say that it is. Of text that is a guess by its first
 * letters: it counts for what is written in letters itself.
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

/** Whether a file is text under a text's ending, whatever else it might be taken for. */
export async function isWritten(place: string, name: string, found: string | undefined): Promise<boolean> {
  const type = documentTypeOf(name);
  return type !== undefined && FORMS[type] === 'text' && (await isDocument(place, type, found));
}
