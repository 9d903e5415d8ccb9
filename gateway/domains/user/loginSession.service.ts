import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../contract/limits';
import type { UserCalls } from '../../contract/user';
import type { Db, Tx } from '../../db/client';
import * as repository from './loginSession.repository';
import { readUserAgent } from './userAgent.rules';

type ListedSession = UserCalls['GET /gateway/user/loginSessions']['data']['list'][number];

export interface NewLoginSession {
  id: string;
  /** 256 random bits for the HttpOnly cookie; only their hash is stored. */
  secret: string;
  expiresInDays: number;
}

export interface SessionRequest {
  memberId: string;
  /** "Keep me signed in". */
  isKept: boolean;
  /** The session this browser had before, which ends with the new one. */
  replaced: string | null;
  ip: string;
  userAgent: string;
}

/** What two cookies turned out to be. `forged`: the session exists and the secret is not its own; its owner keeps it. */
export type SessionVerdict = { kind: 'valid'; memberId: string; loginSessionId: string } | { kind: 'ended' } | { kind: 'forged' };

const ENDED: SessionVerdict = { kind: 'ended' };
const USER_AGENT_LENGTH = 256;
/** As many browsers as are shown; signing out all others reaches the rest. */
const LISTED = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type LoginSessionService = ReturnType<typeof createLoginSessionService>;

/** Login sessions in two parts: a selector anybody may read and a secret only the browser's cookie store and a hash know. */
export function createLoginSessionService({ db }: { db: Db }) {
  const listeners = new Set<(loginSessionId: string) => void>();
  const announceRevoked = (loginSessionId: string): void => {
    for (const listener of listeners) listener(loginSessionId);
  };

  return {
    createSession,

    /** Judges the two cookies of a request and notes, at most once a minute, that the session was seen. */
    async resolveSession(id: string, secret: string): Promise<SessionVerdict> {
      const session = UUID.test(id) ? await repository.findSession(db, id) : undefined;
      if (!session || session.hasEnded) return ENDED;
      if (!timingSafeEqual(session.secretHash, hashOf(secret))) return { kind: 'forged' };
      if (session.isUnseen) await repository.noteSeen(db, id);
      return { kind: 'valid', memberId: session.memberId, loginSessionId: id };
    },

    /** True until the session is revoked or expires. Sockets opened on another gateway ask this at least once a minute. */
    async isActive(loginSessionId: string): Promise<boolean> {
      const session = await repository.findSession(db, loginSessionId);
      return session !== undefined && !session.hasEnded;
    },

    /** Ends a session and tells this gateway's listeners. */
    async revokeSession(loginSessionId: string): Promise<void> {
      await repository.revoke(db, loginSessionId);
      announceRevoked(loginSessionId);
    },

    /** Ends every session of a member's; the caller announces them after COMMIT. */
    revokeAll: (tx: Tx, memberId: string): Promise<string[]> => repository.revokeOf(tx, memberId),

    renewSession,

    /** Signs out one of the member's browsers, or all but this one; returns how many. */
    async revokeOwn(memberId: string, which: { only: string } | { except: string }): Promise<number> {
      const ended = await repository.revokeOf(db, memberId, which);
      for (const id of ended) announceRevoked(id);
      return ended.length;
    },

    /** The member's browsers that are signed in: the one that asks first, then those last seen. */
    async listSessions(memberId: string, currentId: string): Promise<ListedSession[]> {
      const rows = await repository.findSessionsOf(db, memberId, LISTED);
      return rows.map((row) => listed(row, currentId)).sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
    },

    /** Tells this gateway's listeners of a session that ended within a transaction, once that stands. */
    announceRevoked,

    /** Calls `listener` for every session revoked through this gateway; returns how to stop that. */
    onRevoked(listener: (loginSessionId: string) => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },

    /** Removes sessions long over; addresses stay known. */
    deleteForgotten: () => repository.deleteForgotten(db),

    isKnownAddress: (memberId: string, ip: string) => repository.hasSessionFrom(db, memberId, ip),
  };
}

/** Makes a session and ends the one it replaces; the caller announces that after COMMIT. */
async function createSession(tx: Tx, request: SessionRequest): Promise<NewLoginSession> {
  const { replaced, ...session } = request;
  const created = { id: uuidv7(), secret: randomBytes(32).toString('base64url') };
  const expiresInDays = session.isKept ? limits.keptSessionDays : limits.sessionDays;
  if (replaced) await repository.revoke(tx, replaced);
  await repository.insertSession(tx, {
    ...session,
    id: created.id,
    secretHash: hashOf(created.secret),
    userAgent: session.userAgent.slice(0, USER_AGENT_LENGTH),
    days: expiresInDays,
  });
  return { ...created, expiresInDays };
}

/**
 * Gives this browser a new session and ends all the member's others with the one it had; the caller announces `ended` after COMMIT.
 * Null when its session has ended meanwhile.
 */
async function renewSession(
  tx: Tx,
  { loginSessionId, ...who }: Pick<SessionRequest, 'memberId' | 'ip' | 'userAgent'> & { loginSessionId: string },
): Promise<{ session: NewLoginSession; ended: string[] } | null> {
  const present = await repository.lockSession(tx, loginSessionId);
  if (!present) return null;
  const ended = await repository.revokeOf(tx, who.memberId);
  return { session: await createSession(tx, { ...who, isKept: present.isKept, replaced: null }), ended };
}

type SessionInForce = Awaited<ReturnType<typeof repository.findSessionsOf>>[number];

function listed({ id, userAgent, ip, isKept, ...times }: SessionInForce, currentId: string): ListedSession {
  return {
    loginSessionId: id,
    isCurrent: id === currentId,
    ...readUserAgent(userAgent),
    ip,
    createdAt: times.createdAt.toISOString(),
    lastSeenAt: times.lastSeenAt.toISOString(),
    expiresAt: times.expiresAt.toISOString(),
    isKept,
  };
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
