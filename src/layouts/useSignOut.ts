import { history, useModel } from '@umijs/max';

/** Signs the member out and leads to where one signs in. */
export function useSignOut(): () => Promise<void> {
  const { signOut } = useModel('session');
  return async () => {
    await signOut();
    history.push('/login');
  };
}
