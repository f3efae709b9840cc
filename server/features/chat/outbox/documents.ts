/** Documents as people send them: accepted when their bytes are what their ending says. */
import { readFile } from 'node:fs/promises';
import { DOCUMENT_TYPES } from '@stagedoor/contract/messages.ts';

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';
/** Old Office's files are folders in a file, and Word takes RTF under its own ending. */
const [FOLDER_FILE, RTF] = ['application/x-cfb', 'application/rtf'];
/** What the bytes may be found to be; of text nothing is found. Of what is a ZIP, its parts say which. */
const FORMS: Readonly<Record<DocumentType, readonly string[] | 'text'>> = {
  pdf: ['application/pdf'],
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

/** Whether a file is text, of whatever encoding. */
async function isText(place: string): Promise<boolean> {
  const bytes = await readFile(place);
  return !NO_TEXT.test(new TextDecoder(encodingOf(bytes)).decode(bytes));
}

/** Whether a file is of that type; `found` is what its first bytes and parts say that it is. */
export async function isDocument(place: string, type: DocumentType, found: string | undefined): Promise<boolean> {
  const forms = FORMS[type];
  if (forms !== 'text') return found !== undefined && forms.includes(found);
  return (found === undefined || found === 'application/xml') && (await isText(place));
}
