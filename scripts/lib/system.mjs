/** Programs that the tests need and npm cannot bring: found, installed by apt where that is possible, else asked for. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { capture, findExecutable, Refusal } from './project.mjs';

const firefoxes = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];
const libraries = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu`);
const miniBrowser = 'webkit2gtk-4.1/MiniBrowser';
const decoders = ['hls', 'libav'].map((name) => `gstreamer-1.0/libgst${name}.so`);
const macChromium = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** A browser with windows: CHROMIUM_PATH, else the system's Chromium, else Chrome on a Mac. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const found = findExecutable('chromium') ?? findExecutable('chromium-browser') ?? findExecutable('google-chrome');
  return found ?? (existsSync(macChromium) ? macChromium : undefined);
}

const findShell = () => findExecutable('chromium-headless-shell');

/** The browser of the journeys: the same engine without what draws windows, which takes a third less of the processor; else one with them. */
export function findJourneysChromium() {
  return process.env.CHROMIUM_PATH || findShell() || findChromium();
}

export function findFirefox() {
  return [process.env.FIREFOX_PATH, ...firefoxes].find((file) => file !== undefined && existsSync(file));
}

/** WebKitGTK's small browser, with what drives it, shows it and decodes for it. Only Debian and its like have it. */
export function findWebKit() {
  const isWhole = ['WebKitWebDriver', 'xvfb-run', 'dbus-run-session'].every(
    (name) => findExecutable(name) !== undefined,
  );
  const library = libraries.find((folder) =>
    [miniBrowser, ...decoders].every((file) => existsSync(`${folder}/${file}`)),
  );
  return isWhole && library !== undefined ? `${library}/${miniBrowser}` : undefined;
}

/** The relay of calls: coturn. */
export const findTurnServer = () => findExecutable('turnserver');

/** Debian's Python with a Socket.IO client: a chat client in another language. Another Python on PATH may lack it. */
function findSocketClient() {
  return ['/usr/bin/python3', 'python3'].find(
    (program) => spawnSync(program, ['-c', 'import socketio, websocket'], { stdio: 'ignore' }).status === 0,
  );
}

const LEFT_OUT = 'its journeys are left out';
const JOURNEY = /^e2e\//;

/**
 * `paths` and `text` say which test files need a program: by their path, or by the code of the file and of the test code that it
 * imports (see needs.ts). `without`: what happens where it is missing. Fonts come along: without any, text in the browser has no
 * size and is not visible.
 */
export const programs = [
  {
    name: 'Chromium',
    find: findChromium,
    paths: JOURNEY,
    text: /findChromium|\/usr\/bin\/chromium/,
    apt: ['chromium', 'fonts-liberation'],
    brew: '--cask google-chrome',
  },
  {
    name: 'Chromium without windows',
    find: findShell,
    paths: JOURNEY,
    without: 'the one with windows is used, and takes longer',
    apt: ['chromium-headless-shell'],
    brew: '',
  },
  // No Mac has the second, and both are large.
  {
    name: 'Firefox',
    find: findFirefox,
    text: /findFirefox/,
    without: LEFT_OUT,
    apt: ['firefox-esr'],
    brew: '--cask firefox',
  },
  {
    name: 'WebKitGTK',
    find: findWebKit,
    text: /findWebKit/,
    without: LEFT_OUT,
    apt: [
      'webkit2gtk-driver',
      'xvfb',
      'xauth',
      'dbus',
      ...['libav', 'plugins-good', 'plugins-bad'].map((name) => `gstreamer1.0-${name}`),
    ],
    brew: '',
  },
  // The demo world of the journeys has films.
  {
    name: 'ffmpeg',
    find: () => findExecutable('ffmpeg'),
    paths: /^e2e\/|^server\/(demo|features\/media\/video)\//,
    text: /\bff(mpeg|probe)\b/,
    apt: ['ffmpeg'],
    brew: 'ffmpeg',
  },
  {
    name: 'libheif’s encoder',
    find: () => findExecutable('heif-enc'),
    text: /heif-enc/,
    apt: ['libheif-examples'],
    brew: 'libheif',
  },
  { name: 'coturn', find: findTurnServer, text: /findTurnServer|bin\/turnserver/, apt: ['coturn'], brew: 'coturn' },
  {
    name: 'Redis',
    find: () => findExecutable('redis-server'),
    text: /\.startRedis\(/,
    apt: ['redis-server'],
    brew: 'redis',
  },
  {
    name: 'python3-socketio',
    find: findSocketClient,
    text: /import socketio/,
    apt: ['python3-socketio', 'python3-requests', 'python3-websocket'],
    brew: 'python && pip3 install "python-socketio[client]"',
  },
];

/** While this file says no, installing coturn and Redis does not also start them as services of the machine. */
async function withoutStartingServices(work) {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return work();
  writeFileSync(policy, '#!/bin/sh\nexit 101\n');
  chmodSync(policy, 0o755);
  try {
    return await work();
  } finally {
    rmSync(policy, { force: true });
  }
}

let updating;

async function installByApt(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  updating ??= capture('apt-get', ['update', '-qq'], { env });
  const update = await updating;
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  const install = await withoutStartingServices(() => capture('apt-get', args, { env }));
  if (install.code !== 0) {
    throw new Refusal(`Could not install ${packages.join(', ')}.\n${update.output}\n${install.output}`.trim());
  }
}

const namesOf = (some) => some.map(({ name }) => name).join(', ');

/** Returns when every program of that list is there. Where it cannot install one itself, it says what to install. */
export async function ensurePrograms(wantedPrograms = programs, say = console.log) {
  const missing = (isOptional) =>
    wantedPrograms.filter((program) => program.find() === undefined && (program.without !== undefined) === isOptional);
  const canInstall = process.getuid?.() === 0 && findExecutable('apt-get') !== undefined;
  const needed = missing(false);
  const packages = needed.flatMap(({ apt }) => apt);
  if (needed.length > 0 && process.platform === 'darwin') {
    const lines = needed.map(({ brew }) => `  brew install ${brew}`);
    throw new Refusal(`The tests need ${namesOf(needed)}. Install:\n${lines.join('\n')}`);
  }
  if (needed.length > 0 && !canInstall) {
    throw new Refusal(
      `The tests need ${namesOf(needed)}. Install, for example:\n  sudo apt-get install -y ${packages.join(' ')}`,
    );
  }
  if (needed.length > 0) {
    say(`Installing ${namesOf(needed)}…`);
    await installByApt(packages);
    if (missing(false).length > 0)
      throw new Refusal(`Installed ${packages.join(' ')}, but ${namesOf(missing(false))} cannot be found on PATH.`);
  }
  const wanted = missing(true);
  if (wanted.length > 0 && canInstall) {
    say(`Installing ${namesOf(wanted)}…`);
    // Each by itself: one that this system does not have keeps none of the others away.
    for (const { apt } of wanted)
      await installByApt(apt).catch((error) => {
        if (!(error instanceof Refusal)) throw error;
        say(error.message);
      });
  }
  for (const { name, without } of missing(true)) say(`${name} is not here: ${without}.`);
}
