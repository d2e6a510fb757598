/** What programs need of the system, as far as it is there. Nobody's own files are among them. */
const SYSTEM_PATHS = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store'],
  ...['resolv.conf', 'hosts', 'host.conf', 'nsswitch.conf', 'gai.conf', 'services', 'protocols']
    .concat(['ssl', 'ca-certificates', 'pki', 'fonts', 'alternatives', 'localtime', 'timezone'])
    .concat(['passwd', 'group', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d'])
    .map((name) => `/etc/${name}`),
];

/** Memory that is no process's own is bounded by these sizes. */
const TMP_BYTES = 64 * 1024 ** 2;
const SHARED_MEMORY_BYTES = 512 * 1024 ** 2;

const NAMESPACES = [
  ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
  ...['--unshare-cgroup-try', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
  // The program itself is the first process of its namespace: once it is gone, all others are.
  '--as-pid-1',
  ...['--proc', '/proc', '--dev', '/dev'],
  ...['--size', `${SHARED_MEMORY_BYTES}`, '--tmpfs', '/dev/shm'],
  ...['--size', `${TMP_BYTES}`, '--tmpfs', '/tmp'],
];

/** What a program in the cage is, and sees. */
interface Cage {
  program: string;
  args: readonly string[];
  /** The folder that it works in, and may write. */
  folder: string;
  readable: readonly string[];
  writable?: readonly string[] | undefined;
}

/**
 * The arguments with which bubblewrap starts a program in namespaces of its own, with an empty file
 * system but for what is named. The network is the machine's. No value of a variable is among them:
 * everybody on a machine can read arguments.
 */
export function bwrapArgs({ program, args, folder, readable, writable = [] }: Cage): string[] {
  return [
    ...NAMESPACES,
    ...SYSTEM_PATHS.flatMap((path) => ['--ro-bind-try', path, path]),
    ...[program, ...readable].flatMap((path) => ['--ro-bind-try', path, path]),
    ...[folder, ...writable].flatMap((path) => ['--bind', path, path]),
    // The folders above them were made by bubblewrap, in memory.
    ...['--remount-ro', '/', '--remount-ro', '/dev'],
    ...['--chdir', folder, '--', program, ...args],
  ];
}
