import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Where Podman keeps what its containers may ask of the kernel, the likelier first. */
const profilePaths = ['/etc/containers/seccomp.json', '/usr/share/containers/seccomp.json'];
/** Every flag of `clone` that makes a namespace. */
const namespaceFlags = 0x7e020000;
const noSuchCall = 38;
/** Calls by which a lab would make namespaces or mount; Docker keeps them from labs by itself, Podman does not. */
const heldBack = new Set([
  'clone',
  'clone3',
  'unshare',
  'setns',
  'mount',
  'umount',
  'umount2',
  'mount_setattr',
  'open_tree',
  'move_mount',
  'fsopen',
  'fsmount',
  'fsconfig',
  'pivot_root',
]);

interface Rule {
  names: string[];
  action: string;
  args?: unknown[];
  errnoRet?: number;
}

interface Profile {
  syscalls: Rule[];
}

/** Podman's own profile without what makes namespaces, written to `path`. Throws where Podman's is not found. */
export function writeSeccompProfile(path: string): void {
  const found = profilePaths.find((candidate) => existsSync(candidate));
  if (!found) throw new Error(`Podman's list of permitted kernel calls is at none of ${profilePaths.join(', ')}`);
  const profile: Profile = JSON.parse(readFileSync(found, 'utf8'));
  writeFileSync(path, JSON.stringify(withoutNamespaces(profile)));
}

export function withoutNamespaces(profile: Profile): Profile {
  const kept = profile.syscalls.flatMap((rule) => {
    const names = rule.names.filter((name) => !heldBack.has(name));
    return names.length > 0 ? [{ ...rule, names }] : [];
  });
  const flags = { index: 0, value: namespaceFlags, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' };
  return {
    ...profile,
    syscalls: [
      ...kept,
      { names: ['clone'], action: 'SCMP_ACT_ALLOW', args: [flags] },
      // Its flags lie where no filter sees them; libraries fall back to `clone`.
      { names: ['clone3'], action: 'SCMP_ACT_ERRNO', args: [], errnoRet: noSuchCall },
    ],
  };
}
