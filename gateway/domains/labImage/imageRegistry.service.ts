import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { MadeImageCalls } from '../../contract/image';
import { type Db, readNow } from '../../db/client';
import { type ImageRegistry, RegistryFailed, type RegistryProblem } from '../../drivers/registry/imageRegistry';
import { imageWordOf } from '../../locales/imageWords';
import { Refusal } from '../../refusal';
import { type AccountRow, findAccount, keepAccount } from './imageRegistry.repository';
import { dockerLines, registryNameOf } from './labImage.rules';
import type { Viewer } from './neighbours';
import { createSecretCipher } from './secretCipher';

type Info = MadeImageCalls['GET /gateway/image/harborInfo']['data'];

/** A registry of this installation; null where it has none. */
export interface ConfiguredRegistry {
  registry: ImageRegistry;
  /** What members' projects are called, before a part of their own. */
  projectPrefix: string;
  /** What the keys of kept secrets are made of. */
  password: string;
}

/** A robot that ends sooner is replaced, so that nobody copies a line that fails tomorrow. */
const REPLACED_BEFORE_MS = 7 * 86_400_000;

const nothing: Info = {
  isConfigured: false,
  registry: '',
  project: '',
  robot: '',
  secret: '',
  expiresAt: null,
  loginLine: '',
  pushLine: '',
};

const problemWords = {
  credentials: 'registryCredentials',
  forbidden: 'registryForbidden',
  conflict: 'registryConflict',
  unreachable: 'registryUnreachable',
  unexpected: 'registryUnexpected',
} as const satisfies Record<RegistryProblem, string>;

export type ImageRegistryService = ReturnType<typeof createImageRegistryService>;

/** Gives each member a private project and a robot account of their own at the registry, made when first asked for. */
export function createImageRegistryService(deps: { db: Db; configured: ConfiguredRegistry | null; log: FastifyBaseLogger }) {
  const { db, configured, log } = deps;
  if (!configured) return { info: async (): Promise<Info> => nothing };
  const { registry, projectPrefix } = configured;
  const cipher = createSecretCipher(configured.password);

  /** The account that was made before, if it still works and can be read. */
  async function findUsable(memberId: string): Promise<{ account: AccountRow; secret: string } | null> {
    const account = await findAccount(db, memberId);
    if (!account) return null;
    const robot = await registry.findRobot(account.robotId);
    if (!robot) return null;
    if (robot.expiresAt && robot.expiresAt.getTime() < (await readNow(db)).getTime() + REPLACED_BEFORE_MS) return null;
    const secret = cipher.open(account.secretCipher, memberId);
    if (secret !== null) return { account, secret };
    // The settings' password changed: what was kept cannot be read, but the robot can have another secret.
    const renewed = await registry.refreshSecret(account.robotId);
    const kept = { ...account, secretCipher: cipher.seal(renewed, memberId), expiresAt: robot.expiresAt };
    await keepAccount(db, memberId, kept);
    return { account: kept, secret: renewed };
  }

  async function make(memberId: string, project: string): Promise<{ account: AccountRow; secret: string }> {
    await registry.ensureProject(project);
    const { robotId, name, secret, expiresAt } = await registry.createRobot(project, `lab-${randomBytes(4).toString('hex')}`);
    const account = { robotId, robotName: name, secretCipher: cipher.seal(secret, memberId), expiresAt };
    await keepAccount(db, memberId, account);
    return { account, secret };
  }

  return {
    /** Throws REGISTRY_UNAVAILABLE with the reason in words. */
    async info({ memberId, language }: Viewer): Promise<Info> {
      const project = registryNameOf(projectPrefix, memberId);
      try {
        const { account, secret } = (await findUsable(memberId)) ?? (await make(memberId, project));
        const shown = { registry: registry.host, project, robot: account.robotName, secret };
        return { isConfigured: true, ...shown, expiresAt: account.expiresAt?.toISOString() ?? null, ...dockerLines(shown) };
      } catch (error) {
        if (!(error instanceof RegistryFailed)) throw error;
        log.warn({ err: error, problem: error.problem }, 'the image registry did not give an account');
        const reason = imageWordOf(problemWords[error.problem], language);
        throw new Refusal('REGISTRY_UNAVAILABLE', { params: { reason }, data: { reason, problem: error.problem } });
      }
    },
  };
}
