/** Who may push and pull with which secret. `expiresAt` is null for one that lasts. */
export interface RobotAccount {
  robotId: bigint;
  name: string;
  secret: string;
  expiresAt: Date | null;
}

export type RegistryProblem =
  /** It does not know us, or our password. */
  | 'credentials'
  /** It knows us and does not let us. */
  | 'forbidden'
  /** What we ask for is taken. */
  | 'conflict'
  /** It does not answer, or says that it cannot now. */
  | 'unreachable'
  /** It answers what no such registry answers. */
  | 'unexpected';

/** A registry that did not do what was asked; the message is for the log, `problem` is what members are told of. */
export class RegistryFailed extends Error {
  override readonly name = 'RegistryFailed';
  constructor(
    readonly problem: RegistryProblem,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}

/**
 * Where members push and pull container images with a robot account of their own. Every method throws `RegistryFailed`.
 */
export interface ImageRegistry {
  /** Its host as `docker` is told it. */
  readonly host: string;
  /** A private project for somebody alone; there already is done. */
  ensureProject(name: string): Promise<void>;
  /** A robot that may push to and pull from the project, and nothing else. */
  createRobot(project: string, name: string): Promise<RobotAccount>;
  /** When the robot's secret stops working; undefined when there is no such robot, or it was switched off. */
  findRobot(robotId: bigint): Promise<Pick<RobotAccount, 'expiresAt'> | undefined>;
  /** A new secret for the robot; the one before works no more. */
  refreshSecret(robotId: bigint): Promise<string>;
}
