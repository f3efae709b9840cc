import { crc32 } from 'node:zlib';
import { CHAT_DOCUMENT_TYPES } from '@stagedoor/contract/messaging/messages.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { EICAR, type FakeClamd, startClamd } from '../../../../testing/clamd.ts';
import { createPictureFile } from '../../../content/media/testing.ts';
import { seedMessage } from '../testing.ts';

let app: TestApp;
let clamd: FakeClamd;
let fan: TestUser;
let conversationId = '';
beforeAll(async () => {
  clamd = await startClamd();
  app = await createTestApp({ env: { SCANNER_URL: clamd.url } });
  const creator = await app.signUp('creator');
  fan = await app.signUp('customer');
  const pair = { creatorId: creator.id, fanId: fan.id };
  ({ conversationId } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Hello' }));
});
afterAll(async () => {
  await app.close();
  await clamd.close();
});

function zip(files: Record<string, string>): Buffer {
  const [bodies, listed]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt32LE(crc32(text), 10);
    header.writeUInt32LE(text.length, 14);
    header.writeUInt32LE(text.length, 18);
    header.writeUInt16LE(name.length, 22);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name + text)]);
    const trailer = Buffer.alloc(14);
    trailer.writeUInt32LE(offset, 10);
    listed.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), header, trailer, Buffer.from(name)]));
    bodies.push(body);
    offset += body.length;
  }
  const list = Buffer.concat(listed);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(listed.length, 8);
  end.writeUInt16LE(listed.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, list, end]);
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const office = (kind: string, folder: string) =>
  zip({
    '_rels/.rels': '<Relationships/>',
    [`${folder}/main.xml`]: '<main/>',
    '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${folder}/main.xml" ContentType="${OFFICE}.${kind}.main+xml"/></Types>`,
  });
const openDocument = (mimetype: string) => zip({ mimetype, 'content.xml': '<content/>' });
const COMPOUND_FILE = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_000)]);
const TEXT = Buffer.from('Ä line, and a tab\t.\r\n');
const VALID_DOCUMENTS: Record<(typeof CHAT_DOCUMENT_TYPES)[number], Buffer> = {
  pdf: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  txt: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Ä line', 'utf16le')]),
  csv: Buffer.from('name;price\r\nM\xfcller;3\r\n', 'latin1'),
  md: TEXT,
  rtf: Buffer.from('{\\rtf1\\ansi Hello}'),
  doc: COMPOUND_FILE,
  docx: office('wordprocessingml.document', 'word'),
  xls: COMPOUND_FILE,
  xlsx: office('spreadsheetml.sheet', 'xl'),
  ppt: COMPOUND_FILE,
  pptx: office('presentationml.presentation', 'ppt'),
  odt: openDocument('application/vnd.oasis.opendocument.text'),
  ods: openDocument('application/vnd.oasis.opendocument.spreadsheet'),
  odp: openDocument('application/vnd.oasis.opendocument.presentation'),
  epub: openDocument('application/epub+zip'),
  zip: zip({ 'songs.txt': 'One, two' }),
};

function send(fileName: string, content: Buffer, seconds = '') {
  const voice = `--b\r\nContent-Disposition: form-data; name="durationSeconds"\r\n\r\n${seconds}\r\n`;
  const head = `${seconds && voice}--b\r\nContent-Disposition: form-data; name="conversationId"\r\n\r\n${conversationId}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]);
  return fan.inject('POST', '/api/message/media-message', body, { 'content-type': 'multipart/form-data; boundary=b' });
}
const countFiles = async () => (await app.ctx.db.query.selectFrom('chat_files').select('id').execute()).length;

test('every document type is accepted under its own extension', async () => {
  for (const type of CHAT_DOCUMENT_TYPES) {
    const response = await send(`Programme.${type}`, VALID_DOCUMENTS[type]);
    expect(response.statusCode, `${type}: ${response.body}`).toBe(200);
  }
});

test('a file name is stored as it is, without what browsers encode in forms and what has no effect', async () => {
  for (const [sent, stored] of [
    ['a%22b;c.pdf', 'a"b;c.pdf'],
    ['100%25 of %0Athe show.pdf', '100%25 of the show.pdf'],
    ['a\u200bb\u00adc\u202e 山田.pdf', 'abc 山田.pdf'],
    ['می\u200cخواهم.pdf', 'می\u200cخواهم.pdf'],
  ] as const) {
    const response = await send(sent, VALID_DOCUMENTS.pdf);
    expect(response.statusCode, response.body).toBe(200);
    const [file] = await app.ctx.db.query
      .selectFrom('chat_files')
      .select('file_name')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect([sent, file?.file_name]).toEqual([sent, stored]);
  }
});

test.each<[string, string, Buffer]>([
  ['a text that begins as a bitmap does', 'txt', Buffer.from('BM and I met at the theatre.')],
  ['one that begins as a song does', 'txt', Buffer.from('ID3 tags of all songs are wrong.')],
  ['one that begins as a program does', 'txt', Buffer.from('MZ: call back')],
  ['a calendar in letters', 'txt', Buffer.from('BEGIN:VCALENDAR\r\nEND:VCALENDAR')],
  ['a table that DOS ended', 'csv', Buffer.from('BZh;12\r\n\x1a')],
  ['a document with a password', 'docx', Buffer.concat([COMPOUND_FILE, Buffer.from('EncryptedPackage', 'utf16le')])],
  ['an archive of a document’s parts', 'zip', VALID_DOCUMENTS.docx],
  ['a PDF after a blank line', 'pdf', Buffer.concat([Buffer.from('\n'), VALID_DOCUMENTS.pdf])],
])('%s is accepted as a document', async (_, ending, content) => {
  const response = await send(`Programme.${ending}`, content);
  expect(response.statusCode, response.body).toBe(200);
  expect(response.body).toContain(`Programme.${ending}`);
});

test('a document is refused when its content does not match its extension', async () => {
  const before = await countFiles();
  const PROGRAM = Buffer.concat([Buffer.from('MZ\x90\0\x03'), Buffer.alloc(500)]);
  const disguises: [string, Buffer][] = [
    ...(['pdf', 'txt', 'doc', 'docx', 'zip', 'epub'] as const).map((type): [string, Buffer] => [type, PROGRAM]),
    ['docx', VALID_DOCUMENTS.xlsx],
    ['xlsx', VALID_DOCUMENTS.zip],
    ['odt', VALID_DOCUMENTS.ods],
    ['pdf', TEXT],
    ['txt', VALID_DOCUMENTS.pdf],
    ['csv', VALID_DOCUMENTS.zip],
    ['md', Buffer.from('A line\0with a NUL')],
    ['doc', VALID_DOCUMENTS.docx],
    ['docx', COMPOUND_FILE],
    ['zip', VALID_DOCUMENTS.rtf],
  ];
  for (const [ending, content] of disguises) {
    const refused = await send(`Programme.${ending}`, content);
    expect([refused.statusCode, refused.json().code], ending).toEqual([415, 'UNSUPPORTED_TYPE']);
    expect(refused.json().message).toMatch(new RegExp(`^Programme\\.${ending} isn’t a valid \\.${ending} file\\.`));
  }
  expect(await countFiles()).toBe(before);
});

test('a picture under the name of a document is refused by name and is not added to the library', async () => {
  const refused = await send('contract.pdf', await createPictureFile({ width: 40, height: 30 }));
  expect([refused.statusCode, refused.json().message]).toEqual([
    415,
    'contract.pdf isn’t a valid .pdf file. This is an image (JPG).',
  ]);
  expect(await app.ctx.db.query.selectFrom('media').select('id').where('owner_id', '=', fan.id).execute()).toEqual([]);
});

test('infected files, and all files while the scanner is down, are refused and not stored', async () => {
  const before = await countFiles();
  const infected = await send('Programme.txt', Buffer.from(EICAR));
  expect([infected.statusCode, infected.json().message]).toEqual([
    415,
    'We found a virus in Programme.txt (Eicar-Test-Signature), so it wasn’t sent.',
  ]);
  const voice = Buffer.concat([
    Buffer.from('OggS\0\x02'),
    Buffer.alloc(22),
    Buffer.from('OpusHead'),
    Buffer.alloc(200),
  ]);
  const spoken = await send('voice.ogg', Buffer.concat([voice, Buffer.from(EICAR)]), '2.5');
  expect([spoken.statusCode, spoken.json().message]).toEqual([
    415,
    'We found a virus in voice.ogg (Eicar-Test-Signature), so it wasn’t sent.',
  ]);
  clamd.behaviour = 'disconnecting';
  for (const withoutScanner of [await send('Programme.txt', TEXT), await send('voice.ogg', voice, '2.5')])
    expect([withoutScanner.statusCode, withoutScanner.json().code, withoutScanner.headers['retry-after']]).toEqual([
      503,
      'UNAVAILABLE',
      '60',
    ]);
  expect(await countFiles()).toBe(before);
  clamd.behaviour = 'normal';
  expect((await send('voice.ogg', voice, '2.5')).statusCode).toBe(200);
  expect((await send('Programme.txt', TEXT)).statusCode).toBe(200);
  expect(clamd.scanned.at(-1)?.equals(TEXT)).toBe(true);
});
