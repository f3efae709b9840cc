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
import { widthsOf } from '../server/features/media/pictures.ts';
import { writeVariants } from '../server/features/media/process.ts';
import { glanceAt } from '../server/features/media/video/damage.ts';
import { inspect, type Source } from '../server/features/media/video/inspect.ts';
import { FIRST_POSTER_WIDTH } from '../server/features/media/video/job.ts';
import { encode, encodeArgs, stepsOf } from '../server/features/media/video/ladder.ts';
import { packageEarly } from '../server/features/media/video/package.ts';
import { frameAt, posterSecondOf } from '../server/features/media/video/stills.ts';
import { findTools, inputOf, LIMITS, type Tools } from '../server/features/media/video/tools.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import { withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import { startNginx } from './harness/nginx.ts';
import type { Figure, Result } from './harness/report.ts';
import { cpuOf, interleave, median, type Ratio, ratioOf, shown } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { benchConfig } from './servers/config.ts';
import { crowd, FOLLOWERS } from './worlds/crowd.ts';
import { discard, makeFilms, makeMinute, rawWrite, settled, timed, uploadTo } from './worlds/films.ts';
import { EMPTY_COOKIE, type Library, makeLibrary } from './worlds/library.ts';
import { cookieLine, personId } from './worlds/people.ts';

const run = promisify(execFile);
const CLIENTS = 4;

type Timed = { ours: number; limit: number };
async function inTurns(rounds: number, ours: () => Promise<number>, limit: () => Promise<number>): Promise<Timed[]> {
  const found: Timed[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isFirst = round % 2 === 0;
    const before = isFirst ? await limit() : 0;
    const own = await ours();
    found.push({ ours: own, limit: isFirst ? before : await limit() });
  }
  return found;
}

function figureOf(name: string, found: readonly Timed[], isRate: boolean, aim?: Figure['aim'], unit = 's'): Figure {
  const ratios = found.map(({ ours, limit }) => (isRate ? limit / ours : ours / limit));
  const ratio: Ratio = { value: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
  const text = (pick: (one: Timed) => number) => `${median(found.map(pick)).toFixed(2)} ${unit}`;
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

async function uploads(
  stage: Stage,
  server: Child,
  dataDir: string,
  film: string,
): Promise<{ figures: Figure[]; id: string }> {
  const uploadTimes: Timed[] = [];
  const playTimes: Timed[] = [];
  const dir = join(stage.folder, 'bare');
  await mkdir(dir, { recursive: true });
  const fragments = ['-hls_flags', 'single_file', '-hls_segment_type', 'fmp4', '-hls_segment_filename', 'a.mp4'];
  const args = ['-v', 'error', '-y', '-i', film, ...PASSTHROUGH, ...fragments, 'a.m3u8'];
  const bareOnce = () => timed(() => run('ffmpeg', args, { cwd: dir }));
  let last = '';
  for (let round = 0; round < stage.options.rounds + 1; round += 1) {
    // The upload of the previous round would otherwise be transcoded for minutes.
    if (last) await discard(server, dataDir, EMPTY_COOKIE, last);
    await run('sync');
    const raw = await rawWrite(stage, film);
    await run('sync');
    const bare = await bareOnce();
    await run('sync');
    const { id, upload, play } = await uploadTo(server, EMPTY_COOKIE, film);
    last = id;
    if (round === 0) continue;
    uploadTimes.push({ ours: upload, limit: raw });
    playTimes.push({ ours: play, limit: bare });
    stage.tell(
      `round ${round}: upload ${upload.toFixed(2)} s, raw ${raw.toFixed(2)} s; plays ${play.toFixed(2)} s, bare ${bare.toFixed(2)} s`,
    );
  }
  const { size } = await stat(film);
  const megabytes = `${Math.round(size / 1e6)} MB`;
  return {
    id: last,
    figures: [
      figureOf(`upload of ${megabytes} by tus ÷ raw write`, uploadTimes, false),
      figureOf(`time until ${megabytes} of H.264 play ÷ bare passthrough`, playTimes, false, { atMost: 1.5 }),
    ],
  };
}

async function minute(stage: Stage, server: Child, dataDir: string): Promise<Figure[]> {
  stage.tell('a minute of full HD');
  const { file, seconds } = await makeMinute(stage);
  const dir = join(stage.folder, 'minute');
  await mkdir(dir, { recursive: true });
  const source = { ...ladderOf(seconds), video: { ...VIDEO, width: 1920, height: 1080 } };
  const steps = stepsOf(source.video).filter(({ height }) => height < 1080);
  const words = ['-v', 'error', '-y'];
  const bare = {
    play: await timed(() => run('ffmpeg', [...words, '-i', file, ...PASSTHROUGH, 'a.m3u8'], { cwd: dir })),
    done: await timed(() =>
      run('nice', [...NICED, 'ffmpeg', ...words, ...encodeArgs(inputOf('mov', file), source, steps)], { cwd: dir }),
    ),
  };
  const { id, play } = await uploadTo(server, EMPTY_COOKIE, file);
  const rest = await timed(() => settled(server, id));
  await discard(server, dataDir, EMPTY_COOKIE, id);
  const length = `${seconds} s of 1080p`;
  return [
    figureOf(`time until ${length} play ÷ bare passthrough`, [{ ours: play, limit: bare.play }], false),
    figureOf(
      `time until all of ${length} is done ÷ bare passthrough and a ladder of ${steps.length}`,
      [{ ours: play + rest, limit: bare.play + bare.done }],
      false,
    ),
  ];
}

const NICED = ['-n', String(LIMITS.encode.niceness)];
const VIDEO = {
  ...{ index: 0, width: 1280, height: 720, frameRate: 30, heldSeconds: 0 },
  ...{ isTurned: false, isPlayable: true, isHdr: false, isInterlaced: false },
};

function ladderOf(seconds: number): Source & { video: typeof VIDEO } {
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

async function ladder(stage: Stage, tools: Tools, film: string, seconds: number): Promise<Figure> {
  const source = ladderOf(seconds);
  const steps = stepsOf(VIDEO);
  const [own, bare] = [join(stage.folder, 'ladder'), join(stage.folder, 'ladder-bare')];
  for (const dir of [own, bare]) await mkdir(dir, { recursive: true });
  const args = ['-v', 'error', '-y', ...encodeArgs(inputOf('mov', film), source, steps)];
  const found = await inTurns(
    stage.options.rounds,
    () => timed(() => encode({ tools, dir: own }, film, source, steps, () => undefined)),
    // It runs with the same low priority as our encoder, so that other load on the machine affects both alike.
    () => timed(() => run('nice', [...NICED, 'ffmpeg', ...args], { cwd: bare })),
  );
  return figureOf(`a ladder of ${steps.length} rungs ÷ bare ffmpeg, both niced, rate`, found, true, { atLeast: 0.95 });
}

const NOWHERE = {
  put: async () => undefined,
  take: async () => undefined,
  give: async () => false,
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
async function programs(stage: Stage, tools: Tools, film: string): Promise<Figure> {
  const dir = join(stage.folder, 'programs');
  await mkdir(dir, { recursive: true });
  const bench = { tools, dir };
  const whole = async () => {
    const early = packageEarly(
      bench,
      film,
      'mov',
      () => undefined,
      () => undefined,
    );
    const source = await inspect(tools, dir, film, 'mov');
    const poster = async () => {
      const frame = await frameAt(
        bench,
        { file: film, demuxer: 'mov', seconds: source.seconds },
        posterSecondOf(source.seconds),
        FIRST_POSTER_WIDTH,
      );
      if (frame) await writeVariants({ storage: NOWHERE }, 'x', frame, { serial: 1 });
    };
    await Promise.all([early.done, poster(), glanceAt(bench, film, source)]);
  };
  const args = ['-v', 'error', '-y', '-i', film, ...PASSTHROUGH, 'bare.m3u8'];
  await whole();
  const found = await inTurns(
    stage.options.rounds,
    () => timed(whole),
    () => timed(() => run('ffmpeg', args, { cwd: dir })),
  );
  const { size } = await stat(film);
  return figureOf(
    `the programs that ${Math.round(size / 1e6)} MB of H.264 need before they play ÷ bare passthrough`,
    found,
    false,
  );
}

async function pictures(stage: Stage): Promise<Figure> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const file = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#888', noise } })
    .blur(2)
    .jpeg({ quality: 88 })
    .toBuffer();
  const widths = widthsOf(4000);
  const bare = async () => {
    for (const width of widths) await sharp(file).rotate().resize({ width }).webp({ quality: 75 }).toBuffer();
    await sharp(file).rotate().resize({ width: 1080 }).jpeg({ quality: 78, mozjpeg: true }).toBuffer();
  };
  const found = await inTurns(
    stage.options.rounds,
    () => timed(() => writeVariants({ storage: NOWHERE }, 'x', file, { serial: 1 })),
    () => timed(bare),
  );
  return figureOf(`${widths.length + 1} variants of 12 megapixels ÷ bare sharp, rate`, found, true, { atLeast: 0.9 });
}

type Segments = { figures: Figure[]; notes: string[] };

async function segments(stage: Stage, server: Child, dataDir: string, id: string): Promise<Segments> {
  const folder = join(dataDir, 'media', 'private', 'm', id);
  const serial = (await readdir(folder)).find((name) => existsSync(join(folder, name, 'h', 'src.m3u8')));
  const root = join(folder, serial ?? '', 'h');
  const nginx = await startNginx(stage.folder, root);
  if (!nginx)
    return { figures: [], notes: ['nginx was not found (Debian: apt-get install nginx): segments are left out.'] };
  const list = await readFile(join(root, 'src.m3u8'), 'utf8');
  const ranges = [...list.matchAll(/#EXT-X-BYTERANGE:(\d+)@(\d+)/g)].map(([, length, start]) => [
    Number(start),
    Number(length),
  ]);
  const lines = ranges.map(([start = 0, length = 0]) => `range: bytes=${start}-${start + length - 1}`);
  const loader = await startLoader();
  const rig = { loader, postgres: stage.postgres };
  const ask = (to: Child, path: string, more: string) => (seconds: number) =>
    measureHttp(rig, to, {
      method: 'GET',
      connections: CLIENTS,
      seconds,
      paths: [path],
      headers: lines.map((line) => `${line}${more}`),
    });
  const before = await server.usage();
  const samples = await interleave(
    stage.options,
    {
      nginx: ask(nginx, '/src.mp4', ''),
      ours: ask(server, `/api/asset/private/media/m/${id}/${serial}/h/src.mp4`, `\r\n${EMPTY_COOKIE}`),
    },
    stage.tell,
  );
  const after = await server.usage();
  await nginx.stop();
  await loader.stop();
  const mean = ranges.reduce((sum, [, length = 0]) => sum + length, 0) / ranges.length / 1e6;
  return {
    figures: [
      {
        name: `private segments of ${mean.toFixed(1)} MB a second ÷ nginx`,
        ours: shown(samples.ours),
        limit: shown(samples.nginx),
        ratio: ratioOf(samples.ours, samples.nginx, (sample) => sample.rate),
        byCpu: ratioOf(samples.ours, samples.nginx, (sample) => 1 / sample.cpuMs),
        aim: { atLeast: 0.6 },
      },
    ],
    notes: [
      `Memory of the product before and after ${samples.ours.reduce((sum, { count }) => sum + count, 0)} segments: ${before.rssMb.toFixed(0)} and ${after.rssMb.toFixed(0)} MB.`,
    ],
  };
}

async function feedWhileEncoding(stage: Stage, tools: Tools, film: string, seconds: number): Promise<Figure> {
  const world = await crowd(stage, 'small');
  const dataDir = join(stage.folder, 'feed-encoding');
  await mkdir(dataDir, { recursive: true });
  const server = await startChild('servers/product.ts', [world.url, dataDir]);
  const loader = await startLoader();
  const { from, count } = FOLLOWERS.some;
  const headers = Array.from({ length: count }, (_, n) => cookieLine(from + n));
  const read = (length: number) =>
    measureHttp({ loader, postgres: stage.postgres }, server, {
      method: 'GET',
      connections: 1,
      seconds: length,
      headers,
      paths: ['/api/feed?limit=20'],
    });
  const dir = join(stage.folder, 'background');
  await mkdir(dir, { recursive: true });
  await read(2);
  const found: Timed[] = [];
  for (let round = 0; round < stage.options.rounds; round += 1) {
    const idle = await read(stage.options.seconds);
    const stop = new AbortController();
    const encoding = encode({ tools, dir, signal: stop.signal }, film, ladderOf(seconds), stepsOf(VIDEO)).catch(
      () => undefined,
    );
    const busy = await read(stage.options.seconds);
    stop.abort();
    await encoding;
    found.push({ ours: busy.p99Ms, limit: idle.p99Ms });
    stage.tell(`feed p99: ${busy.p99Ms.toFixed(1)} ms encoding, ${idle.p99Ms.toFixed(1)} ms idle`);
  }
  await server.stop();
  await loader.stop();
  return figureOf('feed p99 while encoding ÷ idle', found, false, { atMost: 2 }, 'ms');
}

async function lists(stage: Stage, server: Child, library: Library): Promise<Figure[]> {
  const loader = await startLoader();
  const read = (path: string, cookie: string) => (seconds: number) =>
    measureHttp({ loader, postgres: stage.postgres }, server, {
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
    stage.options,
    {
      all: read(paths.all, largeCookie),
      allSmall: read(paths.all, smallCookie),
      videos: read(paths.videos, largeCookie),
      videosSmall: read(paths.videos, smallCookie),
      search: read(paths.search, largeCookie),
      searchSmall: read(paths.search, smallCookie),
    },
    stage.tell,
  );
  await loader.stop();
  const growth = `${large.toLocaleString('en')} ÷ ${small.toLocaleString('en')} uploads`;
  const figure = (name: string, ours: typeof samples.all, limit: typeof samples.all): Figure => ({
    name: `${name}: ${growth}`,
    ours: shown(ours),
    limit: shown(limit),
    ratio: ratioOf(ours, limit, cpuOf),
    aim: { atMost: 1.1 },
  });
  return [
    figure('library', samples.all, samples.allSmall),
    figure('library, unused videos', samples.videos, samples.videosSmall),
    figure('library, a rare word', samples.search, samples.searchSmall),
  ];
}

/** The lower bound for a search: its statement alone, on its own connection. */
async function bareSearch(stage: Stage, { url, small, large }: Library): Promise<Figure> {
  const text = `select id from media where owner_id = $1 and search_text like '%kiln%' and status <> 'uploading' order by id desc limit 31`;
  const found = await withDatabase(url, async (db) => {
    const once = (creator: number) => async () => {
      const times: number[] = [];
      for (let n = 0; n < 200; n += 1)
        times.push(await timed(() => db.run({ name: 'bare-search', text }, [personId('creator', creator)])));
      return median(times) * 1_000;
    };
    return inTurns(stage.options.rounds, once(1), once(0));
  });
  const growth = `${large.toLocaleString('en')} ÷ ${small.toLocaleString('en')} uploads`;
  return figureOf(`the statement of a rare word by itself: ${growth}`, found, false, undefined, 'ms');
}

export async function media(stage: Stage): Promise<Result> {
  const reading = 'Time, or rate, beside the bare tool on the same files; growth by CPU a request.';
  const tools = await findTools(benchConfig('postgres://nowhere', join(stage.folder, 'none')));
  if (!tools) return { bench: 'media', reading, figures: [], notes: ['ffmpeg was not found: nothing was measured.'] };
  const { short, long, seconds } = await makeFilms(stage);
  const library = await makeLibrary(stage);
  const dataDir = join(stage.folder, 'media');
  await mkdir(dataDir, { recursive: true });
  const server = await startChild('servers/product.ts', [library.url, dataDir]);
  const large = await uploads(stage, server, dataDir, long);
  await discard(server, dataDir, EMPTY_COOKIE, large.id);
  // Starting programs takes most of a short film's time, so 200 MB measure the throughput and 10 MB the delay.
  const small = await uploads(stage, server, dataDir, short);
  await settled(server, small.id);
  const served = await segments(stage, server, dataDir, small.id);
  const whole = await minute(stage, server, dataDir);
  const growth = await lists(stage, server, library);
  await server.stop();
  return {
    bench: 'media',
    reading,
    figures: [
      ...large.figures,
      ...small.figures,
      await programs(stage, tools, short),
      ...whole,
      await ladder(stage, tools, short, seconds),
      await pictures(stage),
      ...served.figures,
      await feedWhileEncoding(stage, tools, short, seconds),
      ...growth,
      await bareSearch(stage, library),
    ],
    notes: served.notes,
  };
}
