/** The export is streamed into storage, so that memory use does not depend on its size. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Context } from '../../kernel/context.ts';
import { type Content, indexPage, pageEntry, pageFoot, pageHead } from './page.ts';
import { type ArchiveFile, type ArchivePart, type Owner, registeredParts } from './parts.ts';

/** Larger files need ZIP64. */
const LARGE_BYTES = 0xff_ff_ff_ff;
const MOST_PATHS = 100;

type Added = { stream: Readable; size?: number; isPacked?: boolean };

class Writer {
  readonly #zip = new ZipFile();
  readonly #madeAt: Date;
  readonly #signal: AbortSignal | undefined;
  readonly output: Readable;

  constructor(madeAt: Date, signal: AbortSignal | undefined) {
    this.#madeAt = madeAt;
    this.#signal = signal;
    const { outputStream } = this.#zip;
    if (!(outputStream instanceof Readable)) throw new Error('the archive is no stream');
    this.output = outputStream;
    // Without a listener a read error would end the process.
    this.#zip.on('error', (error) => this.fail(error));
    // A process that is stopping must not wait for a long video.
    signal?.addEventListener('abort', () => this.fail(signal.reason), { once: true });
  }

  async add(path: string, { stream, size, isPacked = false }: Added): Promise<void> {
    const known = size === undefined ? {} : { size, forceZip64Format: size >= LARGE_BYTES };
    try {
      this.#signal?.throwIfAborted();
      if (this.output.errored) throw this.output.errored;
      await new Promise<void>((resolve, reject) => {
        const settle = (error?: Error) => {
          this.output.off('error', settle);
          if (error) reject(error);
          else resolve();
        };
        stream.once('error', settle).once('end', () => settle());
        this.output.once('error', settle);
        this.#zip.addReadStream(stream, path, { mtime: this.#madeAt, compress: !isPacked, ...known });
      });
    } finally {
      stream.destroy();
    }
  }

  end(): void {
    this.#zip.end();
  }

  fail(error: unknown): void {
    this.output.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

type Work = { ctx: Context; writer: Writer; owner: Owner };

async function* textOf(
  { ctx, owner }: Work,
  part: ArchivePart,
  form: { head: string; entry: (entry: object, index: number) => string; foot: (count: number) => string },
  counted: { count: number },
): AsyncGenerator<string> {
  counted.count = 0;
  yield form.head;
  for await (const entry of part.entries?.(ctx, owner) ?? []) {
    yield form.entry(entry, counted.count);
    counted.count += 1;
  }
  yield form.foot(counted.count);
}

const textStream = (text: AsyncIterable<string>) => Readable.from(text, { objectMode: false });

async function addEntries(work: Work, part: ArchivePart): Promise<number> {
  if (!part.entries) return 0;
  const counted = { count: 0 };
  const json = {
    head: '[',
    entry: (entry: object, index: number) => `${index === 0 ? '\n' : ',\n'}${JSON.stringify(entry)}`,
    foot: () => '\n]\n',
  };
  await work.writer.add(`data/${part.name}.json`, { stream: textStream(textOf(work, part, json, counted)) });
  const page = { head: pageHead(part), entry: (entry: object) => pageEntry({ ...entry }), foot: pageFoot };
  await work.writer.add(`${part.name}.html`, { stream: textStream(textOf(work, part, page, counted)) });
  return counted.count;
}

/** Returns false for a file that no longer exists. */
async function addFile({ ctx, writer }: Work, file: ArchiveFile): Promise<boolean> {
  if ('open' in file) {
    await writer.add(file.path, { stream: await file.open() });
    return true;
  }
  const stored = await ctx.storage.open(file.key);
  if (!stored) return false;
  await writer.add(file.path, { stream: await stored.stream(), size: stored.byteSize, isPacked: true });
  return true;
}

async function addPart(work: Work, part: ArchivePart): Promise<Content> {
  const count = await addEntries(work, part);
  const paths: string[] = [];
  for await (const file of part.files?.(work.ctx, work.owner) ?? [])
    if ((await addFile(work, file)) && paths.length < MOST_PATHS) paths.push(file.path);
  return { part, count, paths };
}

async function addAll(work: Work, person: { name: string; username: string }, madeAt: Date): Promise<void> {
  const contents: Content[] = [];
  for (const part of registeredParts(work.ctx)) contents.push(await addPart(work, part));
  const page = indexPage(person, madeAt, contents);
  await work.writer.add('index.html', { stream: Readable.from([page], { objectMode: false }) });
  work.writer.end();
}

/** Returns the size in bytes. */
export async function writeArchive(
  ctx: Context,
  owner: Owner & { name: string; username: string },
  key: string,
  signal?: AbortSignal,
): Promise<number> {
  const madeAt = ctx.clock.now();
  const writer = new Writer(madeAt, signal);
  const adding = addAll({ ctx, writer, owner }, owner, madeAt).catch((error: unknown) => {
    writer.fail(error);
    throw error;
  });
  await Promise.all([ctx.storage.put(key, writer.output, 'application/zip'), adding]);
  const stored = await ctx.storage.open(key);
  if (!stored) throw new Error('the archive was not kept');
  return stored.byteSize;
}
