import { type ErrorName, errors } from '../contract/errors';
import type { TestReply } from './testClient';

declare global {
  namespace jest {
    interface Matchers<R> {
      /** The call was refused with this error: its code, its status, and success false. */
      toFailWith(error: ErrorName): R;
    }
  }
}

expect.extend({
  toFailWith(reply: TestReply, error: ErrorName) {
    const { code, status } = errors[error];
    const { success } = reply.envelope;
    const pass = !success && reply.envelope.code === code && reply.status === status;
    const received = Object.entries(errors).find(([, entry]) => entry.code === reply.envelope.code)?.[0] ?? 'success';
    return {
      pass,
      message: () =>
        `expected the call ${pass ? 'not ' : ''}to fail with ${error} (${status}, ${code}); it answered ${received} (${reply.status}): ${JSON.stringify(reply.envelope)}`,
    };
  },
});
