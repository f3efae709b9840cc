/**
 * Completes the lockfile for every platform. npm leaves out optional packages for other platforms if the registry that
 * it was written with lacks them, and then `npm ci` refuses the lockfile everywhere. Their parents name exact versions,
 * so the entries can be written from those. Other platforms never download them.
 */
const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const ABI = { gnueabihf: 'arm', musleabihf: 'arm', eabi: 'arm', armv7: 'arm', armv6l: 'arm', linuxmusl: 'linux' };

function placesFor(place, name) {
  const folders = [];
  for (let at = place; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    folders.push(`${at}/node_modules/${name}`);
  }
  return [...folders, `node_modules/${name}`];
}

/** Optional dependencies that are missing from the lockfile: `[path of the parent package, name, range]`. */
export function missingOptional({ packages }) {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !placesFor(place, name).some((where) => packages[where]))
      .map(([name, range]) => [place, name, range]),
  );
}

function platformOf(name) {
  const words = name.split(/[/-]/).map((word) => ABI[word] ?? word);
  const os = OS.filter((word) => words.includes(word) || (word === 'linux' && name.includes('linuxmusl')));
  const cpu = CPU.filter((word) => words.includes(word)).slice(0, 1);
  const libc = /musl/.test(name) ? ['musl'] : /-(?:gnu|gnueabihf)$/.test(name) && os[0] === 'linux' ? ['glibc'] : [];
  return { os, cpu, libc };
}

/**
 * Adds missing entries to the lockfile. Throws where a range is not a single version or a name contains no platform.
 */
export function complete(lock) {
  for (const [place, name, range] of missingOptional(lock)) {
    const { os, cpu, libc } = platformOf(name);
    const version = /^[~^]?(\d+\.\d+\.\d+[\w.-]*)$/.exec(range)?.[1];
    if (!version || os.length + cpu.length === 0)
      throw new Error(`${name}@${range}, wanted by ${place}, cannot be written into the lockfile`);
    const { dev, devOptional } = lock.packages[place];
    lock.packages[`node_modules/${name}`] = {
      version,
      resolved: `https://registry.npmjs.org/${name}/-/${name.split('/').at(-1)}-${version}.tgz`,
      ...(cpu.length > 0 && { cpu }),
      ...(dev && { dev }),
      ...(devOptional && { devOptional }),
      ...(libc.length > 0 && { libc }),
      optional: true,
      ...(os.length > 0 && { os }),
    };
  }
  const [own, ...rest] = Object.entries(lock.packages);
  lock.packages = Object.fromEntries([own, ...rest.sort(([a], [b]) => a.localeCompare(b, 'en'))]);
  return lock;
}
