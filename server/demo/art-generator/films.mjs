/**
 * Creates the demo's videos and audio with ffmpeg: `node server/demo/art-generator/films.mjs` writes
 * `server/demo/films/`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ART = fileURLToPath(new URL('../art/', import.meta.url));
const FILMS = fileURLToPath(new URL('../films/', import.meta.url));
const FRAME = { width: 720, height: 900, rate: 25 };
const STILL = { seconds: 5, dissolve: 1 };
const getLength = (stills) => stills * STILL.seconds - (stills - 1) * STILL.dissolve;
const series = (name, count) => Array.from({ length: count }, (_, n) => `${name}-${n + 1}`);

const films = [
  { file: 'eleven-kilometres.mp4', stills: series('hana', 4), tones: [110, 164.81, 220], seconds: getLength(4) },
  { file: 'location-walk.mp4', stills: series('aurelio', 5), tones: [98, 146.83, 233.08], seconds: getLength(5) },
  { file: 'a-sounding.m4a', stills: [], tones: [220], seconds: 40 },
];

function voice(tone, index) {
  const parts = [1, 0.42, 0.26, 0.12, 0.07].map(
    (loud, n) =>
      `${loud.toFixed(2)}*sin(2*PI*${(tone * (n + 1)).toFixed(2)}*t+${(0.6 * (n + 1)).toFixed(1)}*sin(2*PI*4.6*t))`,
  );
  return `0.09*(0.75+0.25*sin(2*PI*${(0.11 + index * 0.03).toFixed(2)}*t))*(${parts.join('+')})`;
}

function createSoundArgs({ tones, seconds }) {
  const sum = tones.map(voice).join('+');
  return ['-f', 'lavfi', '-i', `aevalsrc='${sum}':s=44100:d=${seconds}`];
}

function fades({ seconds }) {
  return `lowpass=f=2400,aecho=0.8:0.7:60|110:0.25|0.18,afade=t=in:d=2.5,afade=t=out:st=${Math.max(0, seconds - 3)}:d=3`;
}

function createPictureFilter({ stills, seconds }) {
  const { width, height, rate } = FRAME;
  const frames = STILL.seconds * rate;
  const moving = stills.map((_, n) => {
    const zoom = n % 2 === 0 ? `1+0.10*on/${frames}` : `1.10-0.10*on/${frames}`;
    const drift = n % 2 === 0 ? '0.5' : '0.42';
    // Enlarged because zoompan moves in whole pixels and would jitter.
    return `[${n}:v]scale=${width * 3}:${height * 3}:force_original_aspect_ratio=increase,crop=${width * 3}:${height * 3},zoompan=z='${zoom}':x='(iw-iw/zoom)*${drift}':y='(ih-ih/zoom)*0.5':d=${frames}:s=${width}x${height}:fps=${rate},setsar=1[m${n}]`;
  });
  let before = '[m0]';
  const dissolves = stills.slice(1).map((_, n) => {
    const offset = (n + 1) * (STILL.seconds - STILL.dissolve);
    const line = `${before}[m${n + 1}]xfade=transition=fade:duration=${STILL.dissolve}:offset=${offset}[x${n + 1}]`;
    before = `[x${n + 1}]`;
    return line;
  });
  const end = `${before}fade=t=in:d=0.8,fade=t=out:st=${seconds - 1}:d=1,format=yuv420p[v]`;
  return [...moving, ...dissolves, end].join(';');
}

mkdirSync(FILMS, { recursive: true });
for (const film of films) {
  const inputs = film.stills.flatMap((still) => ['-i', `${ART}${still}.webp`]);
  const sound = `[${film.stills.length}:a]${fades(film)}[a]`;
  const isSeen = film.stills.length > 0;
  const picture = ['-map', '[v]', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-g', String(FRAME.rate * 2)];
  const args = [
    '-v',
    'error',
    '-y',
    ...inputs,
    ...createSoundArgs(film),
    '-filter_complex',
    isSeen ? `${createPictureFilter(film)};${sound}` : sound,
  ];
  args.push(...(isSeen ? picture : []), '-map', '[a]', '-c:a', 'aac', '-b:a', '64k', '-ac', '1', '-map_metadata', '-1');
  execFileSync('ffmpeg', [...args, '-t', String(film.seconds), FILMS + film.file], { stdio: 'inherit' });
}
