/** Lets a request that changed a wish wake the reconcile loop without knowing it. */
export function createWakeUp() {
  const listeners = new Set<() => void>();
  return {
    kick(): void {
      for (const listener of listeners) listener();
    },
    /** Returns how to stop listening. */
    onKick(listener: () => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export type WakeUp = ReturnType<typeof createWakeUp>;
