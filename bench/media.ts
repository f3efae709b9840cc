/**
 * Compares media with minimal implementations: uploads with a raw write, playing and encoding with bare ffmpeg,
 * pictures with bare sharp, and segments with nginx.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { writeVariants } from '../server/modules/content/media/jobs/picture-jobs.ts';
import { FIRST_POSTER_WIDTH } from '../server/modules/content/media/jobs/video/stream-files.ts';
import { listPictureWidths } from '../server/modules/content/media-processing/pictures.ts';
import { spotCheck } from '../server/modules/content/media-processing/video/damage.ts';
import { inspectSource, type ProbedSource } from '../server/modules/content/media-processing/video/inspect.ts';
import { encode, listRenditionSpecs, toEncodeArgs } from '../server/modules/content/media-processing/video/ladder.ts';
import { startEarlyRemux } from '../server/modules/content/media-processing/video/package.ts';
import { extractFrame, getPosterSecond } from '../server/modules/content/media-processing/video/stills.ts';
import {
  findTools,
  type MediaTools,
  TOOL_LIMITS,
  toInputArgs,
} from '../server/modules/content/media-processing/video/tools.ts';
import { ensureCrowd } from './fixtures/crowd.ts';
import {
  discard,
  makeFilms,
  makeMinute,
  pollUntilProcessed,
  rawWrite,
  timeSeconds,
  uploadTo,
} from './fixtures/films.ts';
import { EMPTY_COOKIE, type Library, makeLibrary } from './fixtures/library.ts';
import { toBenchUserId } from './fixtures/users.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { withDatabase } from './harness/database.ts';
import { startFeedReads } from './harness/feed-reads.ts';
import { measureHttp } from './harness/http.ts';
import { startNginx } from './harness/nginx.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { calculateRatio, formatSamples, getCpuMs, interleave, median, type Ratio } from './harness/rounds.ts';
import { createBenchConfig } from './servers/config.ts';

const run = promisify(execFile);
const CLIENTS = 4;

type TimedPair = { ours: number; limit: number };
async function alternate(
  rounds: number,
  ours: () => Promise<number>,
  limit: () => Promise<number>,
): Promise<TimedPair[]> {
  const pairs: TimedPair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isFirst = round % 2 === 0;
    const before = isFirst ? await limit() : 0;
    const own = await ours();
    pairs.push({ ours: own, limit: isFirst ? before : await limit() });
  }
  return pairs;
}

function toFigure(name: string, pairs: readonly TimedPair[], isRate: boolean, aim?: Figure['aim'], unit = 's'): Figure {
  const ratios = pairs.map(({ ours, limit }) => (isRate ? limit / ours : ours / limit));
  const ratio: Ratio = { value: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
  const text = (pick: (one: TimedPair) => number) => `${median(pairs.map(pick)).toFixed(2)} ${unit}`;
  return { name, ours: text((one) => one.ours), limit: text((one) => one.limit), ratio, ...(aim && { aim }) };
}

const PASSTHROUGH = [
  '-map',
  '0:v:0',
  '-map',
  '0:a:0',
  '-c',
  'copy',
  '-f',
  'hls',
  '-hls_time',
  '4',
  '-hls_playlist_type',
  'vod',
];

async function measureUploads(
  context: BenchContext,
  server: Child,
  dataDir: string,
  film: string,
): Promise<{ figures: Figure[]; id: string }> {
  const uploadTimes: TimedPair[] = [];
  const playTimes: TimedPair[] = [];
  const dir = join(context.folder, 'bare');
  await mkdir(dir, { recursive: true });
  const fragments = ['-hls_flags', 'single_file', '-hls_segment_type', 'fmp4', '-hls_segment_filename', 'a.mp4'];
  const args = ['-v', 'error', '-y', '-i', film, ...PASSTHROUGH, ...fragments, 'a.m3u8'];
  const bareOnce = () => timeSeconds(() => run('ffmpeg', args, { cwd: dir }));
  let last = '';
  for (let round = 0; round < context.options.rounds + 1; round += 1) {
    // The upload of the previous round would otherwise be transcoded for minutes.
    if (last) await discard(server, dataDir, EMPTY_COOKIE, last);
    await run('sync');
    const raw = await rawWrite(context, film);
    await run('sync');
    const bare = await bareOnce();
    await run('sync');
    const { id, upload, play } = await uploadTo(server, EMPTY_COOKIE, film);
    last = id;
    if (round === 0) continue;
    uploadTimes.push({ ours: upload, limit: raw });
    playTimes.push({ ours: play, limit: bare });
    context.logProgress(
      `round ${round}: upload ${upload.toFixed(2)} s, raw ${raw.toFixed(2)} s; plays ${play.toFixed(2)} s, bare ${bare.toFixed(2)} s`,
    );
  }
  const { size } = await stat(film);
  const megabytes = `${Math.round(size / 1e6)} MB`;
  return {
    id: last,
    figures: [
      toFigure(`upload of ${megabytes} by tus ÷ raw write`, uploadTimes, false),
      toFigure(`time until ${megabytes} of H.264 play ÷ bare passthrough`, playTimes, false, { atMost: 1.5 }),
    ],
  };
}

async function measureMinute(context: BenchContext, server: Child, dataDir: string): Promise<Figure[]> {
  context.logProgress('a minute of full HD');
  const { file, seconds } = await makeMinute(context);
  const dir = join(context.folder, 'minute');
  await mkdir(dir, { recursive: true });
  const source = { ...createSource(seconds), video: { ...VIDEO, width: 1920, height: 1080 } };
  const steps = listRenditionSpecs(source.video).filter(({ height }) => height < 1080);
  const baseArgs = ['-v', 'error', '-y'];
  const bare = {
    play: await timeSeconds(() => run('ffmpeg', [...baseArgs, '-i', file, ...PASSTHROUGH, 'a.m3u8'], { cwd: dir })),
    done: await timeSeconds(() =>
      run('nice', [...NICE_ARGS, 'ffmpeg', ...baseArgs, ...toEncodeArgs(toInputArgs('mov', file), source, steps)], {
        cwd: dir,
      }),
    ),
  };
  const { id, play } = await uploadTo(server, EMPTY_COOKIE, file);
  const rest = await timeSeconds(() => pollUntilProcessed(server, id));
  await discard(server, dataDir, EMPTY_COOKIE, id);
  const length = `${seconds} s of 1080p`;
  return [
    toFigure(`time until ${length} play ÷ bare passthrough`, [{ ours: play, limit: bare.play }], false),
    toFigure(
      `time until all of ${length} is done ÷ bare passthrough and a ladder of ${steps.length}`,
      [{ ours: play + rest, limit: bare.play + bare.done }],
      false,
    ),
  ];
}

const NICE_ARGS = ['-n', String(TOOL_LIMITS.encode.niceness)];
const VIDEO = {
  ...{ index: 0, width: 1280, height: 720, frameRate: 30, heldSeconds: 0 },
  ...{ isRotated: false, isPlayable: true, isHdr: false, isInterlaced: false },
};

function createSource(seconds: number): ProbedSource & { video: typeof VIDEO } {
  return {
    demuxer: 'mov',
    startSeconds: 0,
    seconds,
    bitRate: 4_000_000,
    video: VIDEO,
    audio: { isPlayable: true, channels: 1, silentSeconds: 0 },
    cover: null,
  };
}

async function measureLadder(context: BenchContext, tools: MediaTools, film: string, seconds: number): Promise<Figure> {
  const source = createSource(seconds);
  const steps = listRenditionSpecs(VIDEO);
  const [own, bare] = [join(context.folder, 'ladder'), join(context.folder, 'ladder-bare')];
  for (const dir of [own, bare]) await mkdir(dir, { recursive: true });
  const args = ['-v', 'error', '-y', ...toEncodeArgs(toInputArgs('mov', film), source, steps)];
  const pairs = await alternate(
    context.options.rounds,
    () => timeSeconds(() => encode({ tools, dir: own }, film, source, steps, () => undefined)),
    // It runs with the same low priority as our encoder, so that other load on the machine affects both alike.
    () => timeSeconds(() => run('nice', [...NICE_ARGS, 'ffmpeg', ...args], { cwd: bare })),
  );
  return toFigure(`a ladder of ${steps.length} renditions ÷ bare ffmpeg, both niced, rate`, pairs, true, {
    atLeast: 0.95,
  });
}

const NULL_STORAGE = {
  put: async () => undefined,
  putFile: async () => undefined,
  fetchFile: async () => false,
  open: async () => undefined,
  remove: async () => undefined,
  removeAll: async () => undefined,
  list: async function* () {},
  check: async () => undefined,
};

/**
 * The lower bound for a short film: the programs that run before it plays and the poster, without server, job, database
 * or storage.
 */
async function measurePrograms(context: BenchContext, tools: MediaTools, film: string): Promise<Figure> {
  const dir = join(context.folder, 'programs');
  await mkdir(dir, { recursive: true });
  const workspace = { tools, dir };
  const runPrograms = async () => {
    const early = startEarlyRemux(
      workspace,
      film,
      'mov',
      () => undefined,
      () => undefined,
    );
    const source = await inspectSource(tools, dir, film, 'mov');
    const poster = async () => {
      const frame = await extractFrame(
        workspace,
        { file: film, demuxer: 'mov', seconds: source.seconds },
        getPosterSecond(source.seconds),
        FIRST_POSTER_WIDTH,
      );
      if (frame) await writeVariants({ storage: NULL_STORAGE }, 'x', frame, { serial: 1 });
    };
    await Promise.all([early.done, poster(), spotCheck(workspace, film, source)]);
  };
  const args = ['-v', 'error', '-y', '-i', film, ...PASSTHROUGH, 'bare.m3u8'];
  await runPrograms();
  const pairs = await alternate(
    context.options.rounds,
    () => timeSeconds(runPrograms),
    () => timeSeconds(() => run('ffmpeg', args, { cwd: dir })),
  );
  const { size } = await stat(film);
  return toFigure(
    `the programs that ${Math.round(size / 1e6)} MB of H.264 need before they play ÷ bare passthrough`,
    pairs,
    false,
  );
}

async function measurePictures(context: BenchContext): Promise<Figure> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const file = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#888', noise } })
    .blur(2)
    .jpeg({ quality: 88 })
    .toBuffer();
  const widths = listPictureWidths(4000);
  const bare = async () => {
    for (const width of widths) await sharp(file).rotate().resize({ width }).webp({ quality: 75 }).toBuffer();
    await sharp(file).rotate().resize({ width: 1080 }).jpeg({ quality: 78, mozjpeg: true }).toBuffer();
  };
  const pairs = await alternate(
    context.options.rounds,
    () => timeSeconds(() => writeVariants({ storage: NULL_STORAGE }, 'x', file, { serial: 1 })),
    () => timeSeconds(bare),
  );
  return toFigure(`${widths.length + 1} variants of 12 megapixels ÷ bare sharp, rate`, pairs, true, { atLeast: 0.9 });
}

type SegmentResult = { figures: Figure[]; notes: string[] };

async function measureSegments(
  context: BenchContext,
  server: Child,
  dataDir: string,
  id: string,
): Promise<SegmentResult> {
  const folder = join(dataDir, 'media', 'private', 'm', id);
  const serial = (await readdir(folder)).find((name) => existsSync(join(folder, name, 'h', 'src.m3u8')));
  const root = join(folder, serial ?? '', 'h');
  const nginx = await startNginx(context.folder, root);
  if (!nginx)
    return { figures: [], notes: ['nginx was not found (Debian: apt-get install nginx): segments are left out.'] };
  const list = await readFile(join(root, 'src.m3u8'), 'utf8');
  const ranges = [...list.matchAll(/#EXT-X-BYTERANGE:(\d+)@(\d+)/g)].map(([, length, start]) => [
    Number(start),
    Number(length),
  ]);
  const lines = ranges.map(([start = 0, length = 0]) => `range: bytes=${start}-${start + length - 1}`);
  const loader = await startLoader();
  const rig = { loader, postgres: context.postgres };
  const createVariant = (to: Child, path: string, extraHeader: string) => (seconds: number) =>
    measureHttp(rig, to, {
      method: 'GET',
      connections: CLIENTS,
      seconds,
      paths: [path],
      headers: lines.map((line) => `${line}${extraHeader}`),
    });
  const before = await server.usage();
  const samples = await interleave(
    context.options,
    {
      nginx: createVariant(nginx, '/src.mp4', ''),
      ours: createVariant(server, `/api/asset/private/media/m/${id}/${serial}/h/src.mp4`, `\r\n${EMPTY_COOKIE}`),
    },
    context.logProgress,
  );
  const after = await server.usage();
  await nginx.stop();
  await loader.stop();
  const mean = ranges.reduce((sum, [, length = 0]) => sum + length, 0) / ranges.length / 1e6;
  return {
    figures: [
      {
        name: `private segments of ${mean.toFixed(1)} MB a second ÷ nginx`,
        ours: formatSamples(samples.ours),
        limit: formatSamples(samples.nginx),
        ratio: calculateRatio(samples.ours, samples.nginx, (sample) => sample.rate),
        byCpu: calculateRatio(samples.ours, samples.nginx, (sample) => 1 / sample.cpuMs),
        aim: { atLeast: 0.6 },
      },
    ],
    notes: [
      `Memory of the product before and after ${samples.ours.reduce((sum, { count }) => sum + count, 0)} segments: ${before.rssMb.toFixed(0)} and ${after.rssMb.toFixed(0)} MB.`,
    ],
  };
}

async function measureFeedWhileEncoding(
  context: BenchContext,
  tools: MediaTools,
  film: string,
  seconds: number,
): Promise<Figure> {
  const world = await ensureCrowd(context, 'small');
  const dataDir = join(context.folder, 'feed-encoding');
  await mkdir(dataDir, { recursive: true });
  const server = await startChild('servers/product.ts', [world.url, dataDir]);
  const loader = await startLoader();
  const dir = join(context.folder, 'background');
  await mkdir(dir, { recursive: true });
  const measureReads = await startFeedReads({ loader, postgres: context.postgres }, server);
  const pairs: TimedPair[] = [];
  for (let round = 0; round < context.options.rounds; round += 1) {
    const idle = await measureReads(context.options.seconds);
    const stop = new AbortController();
    const encoding = encode(
      { tools, dir, signal: stop.signal },
      film,
      createSource(seconds),
      listRenditionSpecs(VIDEO),
    ).catch(() => undefined);
    const busy = await measureReads(context.options.seconds);
    stop.abort();
    await encoding;
    pairs.push({ ours: busy.p99Ms, limit: idle.p99Ms });
    context.logProgress(`feed p99: ${busy.p99Ms.toFixed(1)} ms encoding, ${idle.p99Ms.toFixed(1)} ms idle`);
  }
  await server.stop();
  await loader.stop();
  return toFigure('feed p99 while encoding ÷ idle', pairs, false, { atMost: 2 }, 'ms');
}

async function measureLists(context: BenchContext, server: Child, library: Library): Promise<Figure[]> {
  const loader = await startLoader();
  const createVariant = (path: string, cookie: string) => (seconds: number) =>
    measureHttp({ loader, postgres: context.postgres }, server, {
      method: 'GET',
      connections: CLIENTS,
      seconds,
      headers: [cookie],
      paths: [path],
    });
  const { smallCookie, largeCookie, small, large } = library;
  const paths = {
    all: '/api/creator/media?limit=30',
    videos: '/api/creator/media?limit=30&type=video&use=unused',
    search: '/api/creator/media?limit=30&search=kiln',
  };
  const samples = await interleave(
    context.options,
    {
      all: createVariant(paths.all, largeCookie),
      allSmall: createVariant(paths.all, smallCookie),
      videos: createVariant(paths.videos, largeCookie),
      videosSmall: createVariant(paths.videos, smallCookie),
      search: createVariant(paths.search, largeCookie),
      searchSmall: createVariant(paths.search, smallCookie),
    },
    context.logProgress,
  );
  await loader.stop();
  const growth = `${large.toLocaleString('en')} ÷ ${small.toLocaleString('en')} uploads`;
  const figure = (name: string, ours: typeof samples.all, limit: typeof samples.all): Figure => ({
    name: `${name}: ${growth}`,
    ours: formatSamples(ours),
    limit: formatSamples(limit),
    ratio: calculateRatio(ours, limit, getCpuMs),
    aim: { atMost: 1.1 },
  });
  return [
    figure('library', samples.all, samples.allSmall),
    figure('library, unused videos', samples.videos, samples.videosSmall),
    figure('library, a rare word', samples.search, samples.searchSmall),
  ];
}

/** The lower bound for a search: its statement alone, on its own connection. */
async function bareSearch(context: BenchContext, { url, small, large }: Library): Promise<Figure> {
  const text = `select id from media where owner_id = $1 and search_text like '%kiln%' and status <> 'uploading' order by id desc limit 31`;
  const pairs = await withDatabase(url, async (db) => {
    const createRun = (creator: number) => async () => {
      const times: number[] = [];
      for (let n = 0; n < 200; n += 1)
        times.push(await timeSeconds(() => db.run({ name: 'bare-search', text }, [toBenchUserId('creator', creator)])));
      return median(times) * 1_000;
    };
    return alternate(context.options.rounds, createRun(1), createRun(0));
  });
  const growth = `${large.toLocaleString('en')} ÷ ${small.toLocaleString('en')} uploads`;
  return toFigure(`the statement of a rare word by itself: ${growth}`, pairs, false, undefined, 'ms');
}

export async function measureMedia(context: BenchContext): Promise<BenchResult> {
  const reading = 'Time, or rate, compared with the bare tool on the same files; growth by CPU per request.';
  const tools = await findTools(createBenchConfig('postgres://nowhere', join(context.folder, 'none')));
  if (!tools) return { bench: 'media', reading, figures: [], notes: ['ffmpeg was not found: nothing was measured.'] };
  const { short, long, seconds } = await makeFilms(context);
  const library = await makeLibrary(context);
  const dataDir = join(context.folder, 'media');
  await mkdir(dataDir, { recursive: true });
  const server = await startChild('servers/product.ts', [library.url, dataDir]);
  const large = await measureUploads(context, server, dataDir, long);
  await discard(server, dataDir, EMPTY_COOKIE, large.id);
  // Starting programs takes most of a short film's time, so 200 MB measure the throughput and 10 MB the delay.
  const small = await measureUploads(context, server, dataDir, short);
  await pollUntilProcessed(server, small.id);
  const segmentResult = await measureSegments(context, server, dataDir, small.id);
  const minuteFigures = await measureMinute(context, server, dataDir);
  const growth = await measureLists(context, server, library);
  await server.stop();
  return {
    bench: 'media',
    reading,
    figures: [
      ...large.figures,
      ...small.figures,
      await measurePrograms(context, tools, short),
      ...minuteFigures,
      await measureLadder(context, tools, short, seconds),
      await measurePictures(context),
      ...segmentResult.figures,
      await measureFeedWhileEncoding(context, tools, short, seconds),
      ...growth,
      await bareSearch(context, library),
    ],
    notes: segmentResult.notes,
  };
}
