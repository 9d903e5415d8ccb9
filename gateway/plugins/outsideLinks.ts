import type { FastifyInstance } from 'fastify';

/** The console's links to documentation and editor extension, and its own pages they lead to by default. */
const own = { docs: '/docs/', editorExtension: '/docs/editor-extension/' } as const;

interface Places {
  docsUrl: string;
  editorExtensionUrl: string;
}

/** Leads the console's two outside links on to where the operator keeps them; by default the console itself has the pages. */
export function registerOutsideLinks(app: FastifyInstance, { docsUrl, editorExtensionUrl }: Places): void {
  leadOn(app, own.docs, docsUrl);
  leadOn(app, own.editorExtension, editorExtensionUrl);
}

function leadOn(app: FastifyInstance, from: string, to: string): void {
  if (to === from) return;
  app.get(from, { schema: { hide: true } }, (_request, reply) => reply.redirect(to, 302));
}
