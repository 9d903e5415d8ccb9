// npm run lock, after every change of dependencies. A registry that does not hold every platform's build of a native package
// makes npm leave those out of the lock file, and `npm ci` then refuses the file everywhere. This writes them in again, by exact version, for the
// platform their name says; npm on such a platform adds the integrity when it first fetches one.
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

/** Where npm looks for `name` from `place`, the innermost folder first. */
function* placesOf(name, place) {
  for (let folder = place; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    yield `${folder}/node_modules/${name}`;
  }
  yield `node_modules/${name}`;
}

function platformOf(name) {
  const words = name.split(/[/-]/);
  const system = SYSTEMS.find((candidate) => words.includes(candidate));
  const processor = PROCESSORS.find((candidate) => words.some((word) => word === candidate || word.startsWith(`${candidate}eabi`)));
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc';
  if (!system) throw new Error(`${name} is missing from package-lock.json and its name says no platform.`);
  return {
    ...(processor ? { cpu: [processor] } : {}),
    ...(system === 'linux' ? { libc: [libc] } : {}),
    os: [system],
  };
}

/** Adds to `packages` what is missing; returns the names. Throws for a package without an exact version or platform. */
export function completeLock(packages) {
  const added = [];
  for (const [place, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if ([...placesOf(name, place)].some((candidate) => packages[candidate])) continue;
      if (!/^\d[\w.+-]*$/.test(version)) throw new Error(`${place} wants ${name}@${version}, which is no exact version.`);
      packages[`node_modules/${name}`] = { version, ...(dev ? { dev } : {}), optional: true, ...platformOf(name) };
      added.push(name);
    }
  }
  return added;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const added = completeLock(lock.packages);
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} packages added\n${added.map((name) => `  ${name}\n`).join('')}`);
