/** The least that could be called a lab: every namespace, the system read-only, a /tmp of its own. */
export const bareBubblewrap: readonly string[] = [
  ...['--unshare-all', '--die-with-parent', '--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin'],
  ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
];
