import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../contract/limits';
import type { Db, Tx } from '../../db/client';
import * as repository from './loginSession.repository';

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

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
