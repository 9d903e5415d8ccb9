import { levels } from '../../contract/entitlements';
import { imageLimits } from '../../contract/imageStates';
import { invalidField, Refusal } from '../../refusal';

/** Names under which one keeps keys, passwords and tokens: files, or folders with everything in them. */
const SECRET_NAMES =
  /^(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.netrc|_netrc|\.git-credentials|\.pgpass|\.npmrc|\.pypirc|\.env(?:\..+)?|\.docker|\.vault-token|\.password-store|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|p12|pfx|key|kdbx|keystore|jks|ppk)|credentials(?:\.json)?|client_secret.*\.json|service[-_]account.*\.json|\.?secrets?(?:\.(?:json|ya?ml|toml|env|txt))?|\.(?:bash|zsh|python|psql|mysql|node_repl)_history)$/i;
/** Public halves and examples are meant to be seen. */
const HARMLESS = /\.pub$|\.(?:example|sample|template)$/i;

/** Whether a file's name, or one of the folders it lies in, says that it is not for others. */
export function looksSecret(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (HARMLESS.test(parts.at(-1) ?? '')) return false;
  return parts.some((part) => SECRET_NAMES.test(part));
}

/** A path as a page shows it: from the home, without what an archive puts before it. */
export function shownPath(path: string): string {
  return path.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
}

/** A name as it is stored: composed and trimmed. Throws INVALID_INPUT where that leaves it too long or empty. */
export function storedImageName(name: string): string {
  const stored = name.normalize('NFC').trim();
  const length = [...stored].length;
  if (length < imageLimits.name.min || length > imageLimits.name.max) throw invalidField('body.name', 'length', imageLimits.name);
  return stored;
}

/** Throws IMAGE_LIMIT where the level keeps no more, naming the lowest level that does. */
export function requireImageRoom(kept: number, limit: number): void {
  if (kept < limit) return;
  const allowing = levels.find((level) => level.privateImages > kept);
  throw new Refusal('IMAGE_LIMIT', { params: { limit }, data: { limit, kept, neededLevel: allowing?.levelFlag ?? null } });
}

/** Throws IMAGE_IN_USE, naming the workshops, where there are any. */
export function requireUnused(workshops: readonly { workshopId: string; name: string }[]): void {
  if (workshops.length === 0) return;
  const named = workshops.slice(0, 5).map(({ name }) => name);
  const rest = workshops.length - named.length;
  throw new Refusal('IMAGE_IN_USE', {
    params: { workshops: `${named.join(', ')}${rest > 0 ? ` (+${rest})` : ''}` },
    data: { workshops },
  });
}

/** Throws IMAGE_HOLDS_SECRETS with what was not accepted. More than can be listed cannot be accepted one by one either. */
export function requireNoSecrets(secretPaths: readonly string[], acceptedPaths: readonly string[]): void {
  const accepted = new Set(acceptedPaths);
  const left = secretPaths.filter((path) => !accepted.has(path));
  const isBeyondListing = secretPaths.length > imageLimits.secretPaths;
  if (left.length === 0 && !isBeyondListing) return;
  const paths = secretPaths.slice(0, imageLimits.secretPaths);
  throw new Refusal('IMAGE_HOLDS_SECRETS', { data: { paths, isComplete: !isBeyondListing } });
}

/** A username as strangers see it: enough to tell two apart, not enough to sign in with. */
export function maskUsername(username: string): string {
  const letters = [...username];
  if (letters.length <= 2) return `${letters[0] ?? ''}***`;
  return `${letters[0]}***${letters.at(-1)}`;
}

/** The name of a member's own project and robot at the registry; says nothing of the member. */
export function registryNameOf(prefix: string, memberId: string): string {
  return `${prefix}-${memberId.replaceAll('-', '').slice(-12).toLowerCase()}`;
}

/** What a member pastes into a shell; the robot's name holds a `$`. */
export function dockerLines(account: { registry: string; project: string; robot: string; secret: string }) {
  const { registry, project, robot, secret } = account;
  const target = `${registry}/${project}/IMAGE:TAG`;
  return {
    loginLine: `printf %s ${quoted(secret)} | docker login ${registry} --username ${quoted(robot)} --password-stdin`,
    pushLine: `docker tag IMAGE:TAG ${target} && docker push ${target}`,
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
