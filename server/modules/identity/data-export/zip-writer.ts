/** The export is streamed into storage, so that memory use does not depend on its size. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Context } from '../../../platform/context.ts';
import { type ExportContent, renderIndexPage, renderPageEntry, renderPageFoot, renderPageHead } from './html.ts';
import { type ExportFile, type ExportOwner, type ExportPart, listExportParts } from './parts.ts';

/** Larger files need ZIP64. */
const LARGE_BYTES = 0xff_ff_ff_ff;
const MAX_PATHS = 100;

type StreamEntry = { stream: Readable; size?: number; isPacked?: boolean };

class ZipWriter {
  readonly #zip = new ZipFile();
  readonly #createdAt: Date;
  readonly #signal: AbortSignal | undefined;
  readonly output: Readable;

  constructor(createdAt: Date, signal: AbortSignal | undefined) {
    this.#createdAt = createdAt;
    this.#signal = signal;
    const { outputStream } = this.#zip;
    if (!(outputStream instanceof Readable)) throw new Error('the archive is no stream');
    this.output = outputStream;
    // Without a listener a read error would end the process.
    this.#zip.on('error', (error) => this.fail(error));
    // A process that is stopping must not wait for a long video.
    signal?.addEventListener('abort', () => this.fail(signal.reason), { once: true });
  }

  async add(path: string, { stream, size, isPacked = false }: StreamEntry): Promise<void> {
    const knownSize = size === undefined ? {} : { size, forceZip64Format: size >= LARGE_BYTES };
    try {
      this.#signal?.throwIfAborted();
      if (this.output.errored) throw this.output.errored;
      await new Promise<void>((resolve, reject) => {
        const finish = (error?: Error) => {
          this.output.off('error', finish);
          if (error) reject(error);
          else resolve();
        };
        stream.once('error', finish).once('end', () => finish());
        this.output.once('error', finish);
        this.#zip.addReadStream(stream, path, { mtime: this.#createdAt, compress: !isPacked, ...knownSize });
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

type ExportContext = { ctx: Context; writer: ZipWriter; owner: ExportOwner };

async function* renderPart(
  { ctx, owner }: ExportContext,
  part: ExportPart,
  template: { head: string; entry: (entry: object, index: number) => string; foot: (count: number) => string },
  counter: { count: number },
): AsyncGenerator<string> {
  counter.count = 0;
  yield template.head;
  for await (const entry of part.entries?.(ctx, owner) ?? []) {
    yield template.entry(entry, counter.count);
    counter.count += 1;
  }
  yield template.foot(counter.count);
}

const toTextStream = (text: AsyncIterable<string>) => Readable.from(text, { objectMode: false });

async function addEntries(exportContext: ExportContext, part: ExportPart): Promise<number> {
  if (!part.entries) return 0;
  const counter = { count: 0 };
  const json = {
    head: '[',
    entry: (entry: object, index: number) => `${index === 0 ? '\n' : ',\n'}${JSON.stringify(entry)}`,
    foot: () => '\n]\n',
  };
  await exportContext.writer.add(`data/${part.name}.json`, {
    stream: toTextStream(renderPart(exportContext, part, json, counter)),
  });
  const page = {
    head: renderPageHead(part),
    entry: (entry: object) => renderPageEntry({ ...entry }),
    foot: renderPageFoot,
  };
  await exportContext.writer.add(`${part.name}.html`, {
    stream: toTextStream(renderPart(exportContext, part, page, counter)),
  });
  return counter.count;
}

/** Returns false for a file that no longer exists. */
async function addFile({ ctx, writer }: ExportContext, file: ExportFile): Promise<boolean> {
  if ('open' in file) {
    await writer.add(file.path, { stream: await file.open() });
    return true;
  }
  const stored = await ctx.storage.open(file.key);
  if (!stored) return false;
  await writer.add(file.path, { stream: await stored.stream(), size: stored.byteSize, isPacked: true });
  return true;
}

async function addPart(exportContext: ExportContext, part: ExportPart): Promise<ExportContent> {
  const count = await addEntries(exportContext, part);
  const paths: string[] = [];
  for await (const file of part.files?.(exportContext.ctx, exportContext.owner) ?? [])
    if ((await addFile(exportContext, file)) && paths.length < MAX_PATHS) paths.push(file.path);
  return { part, count, paths };
}

async function addAll(
  exportContext: ExportContext,
  user: { name: string; username: string },
  createdAt: Date,
): Promise<void> {
  const contents: ExportContent[] = [];
  for (const part of listExportParts(exportContext.ctx)) contents.push(await addPart(exportContext, part));
  const page = renderIndexPage(user, createdAt, contents);
  await exportContext.writer.add('index.html', { stream: Readable.from([page], { objectMode: false }) });
  exportContext.writer.end();
}

/** Returns the size in bytes. */
export async function writeExport(
  ctx: Context,
  owner: ExportOwner & { name: string; username: string },
  key: string,
  signal?: AbortSignal,
): Promise<number> {
  const createdAt = ctx.clock.now();
  const writer = new ZipWriter(createdAt, signal);
  const writing = addAll({ ctx, writer, owner }, owner, createdAt).catch((error: unknown) => {
    writer.fail(error);
    throw error;
  });
  await Promise.all([ctx.storage.put(key, writer.output, 'application/zip'), writing]);
  const stored = await ctx.storage.open(key);
  if (!stored) throw new Error('the archive was not stored');
  return stored.byteSize;
}
