import { useModel } from '@umijs/max';
import { useCallback, useEffect } from 'react';
import { getUserBySession, logout, type SessionUser, type SignedIn } from '../services/user';
import { emptyUser } from '../utils/emptyUser';
import { announceSignedOut, clearSession, keepSession, onSignedOut } from '../utils/session';

interface Session {
  currentUser: SessionUser;
  isSignedIn: boolean;
  signIn: (answer: SignedIn) => void;
  signOut: () => Promise<void>;
  /** Asks anew who this is: level, package and verifications change while one is signed in. What cannot be had stays as it was. */
  refreshUser: () => Promise<void>;
  /** The gateway has ended the login session already: the browser forgets it. */
  forgetSession: () => void;
}

/** Who is signed in, for pages and frame alike. */
export default function useSession(): Session {
  const { initialState, setInitialState } = useModel('@@initialState');
  const currentUser: SessionUser = initialState?.currentUser ?? emptyUser;

  const signIn = useCallback(
    (answer: SignedIn) => {
      keepSession(answer.sessionId, answer.expiresInDays);
      setInitialState({ currentUser: answer.user });
    },
    [setInitialState],
  );

  const refreshUser = useCallback(async () => {
    const user = await getUserBySession().catch(() => undefined);
    if (user) setInitialState({ currentUser: { ...emptyUser, ...user } });
  }, [setInitialState]);

  const forgetSession = useCallback(() => {
    clearSession();
    announceSignedOut();
  }, []);

  /** Ends the login session; the browser forgets it even when the gateway cannot be reached. */
  const signOut = useCallback(async () => {
    await logout().catch(() => undefined);
    forgetSession();
  }, [forgetSession]);

  useEffect(() => onSignedOut(() => setInitialState({ currentUser: emptyUser })), [setInitialState]);

  return { currentUser, isSignedIn: currentUser.userId !== '', signIn, signOut, refreshUser, forgetSession };
}
