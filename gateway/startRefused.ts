/** The gateway cannot start here; the message is the one sentence the operator reads. */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused';
}
