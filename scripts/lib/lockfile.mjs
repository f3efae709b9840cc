/**
 * Completes the lockfile for every platform. npm leaves out optional packages for other platforms if the registry that
 * it was written with lacks them, and then `npm ci` refuses the lockfile everywhere. Their parents name exact versions,
 * so the entries can be written from those. Other platforms never download them.
 */
const OS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const ABI = { gnueabihf: 'arm', musleabihf: 'arm', eabi: 'arm', armv7: 'arm', armv6l: 'arm', linuxmusl: 'linux' };

function listCandidatePaths(packagePath, name) {
  const folders = [];
  for (let at = packagePath; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    folders.push(`${at}/node_modules/${name}`);
  }
  return [...folders, `node_modules/${name}`];
}

/** Optional dependencies that are missing from the lockfile: `[path of the parent package, name, range]`. */
export function listMissingOptional({ packages }) {
  return Object.entries(packages).flatMap(([packagePath, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !listCandidatePaths(packagePath, name).some((candidate) => packages[candidate]))
      .map(([name, range]) => [packagePath, name, range]),
  );
}

function parsePlatform(name) {
  const parts = name.split(/[/-]/).map((part) => ABI[part] ?? part);
  const os = OS.filter((part) => parts.includes(part) || (part === 'linux' && name.includes('linuxmusl')));
  const cpu = CPU.filter((part) => parts.includes(part)).slice(0, 1);
  const libc = /musl/.test(name) ? ['musl'] : /-(?:gnu|gnueabihf)$/.test(name) && os[0] === 'linux' ? ['glibc'] : [];
  return { os, cpu, libc };
}

/**
 * Adds missing entries to the lockfile. Throws where a range is not a single version or a name contains no platform.
 */
export function completeLockfile(lock) {
  for (const [packagePath, name, range] of listMissingOptional(lock)) {
    const { os, cpu, libc } = parsePlatform(name);
    const version = /^[~^]?(\d+\.\d+\.\d+[\w.-]*)$/.exec(range)?.[1];
    if (!version || os.length + cpu.length === 0)
      throw new Error(`${name}@${range}, wanted by ${packagePath}, cannot be written into the lockfile`);
    const { dev, devOptional } = lock.packages[packagePath];
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
