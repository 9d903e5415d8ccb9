import Fastify from 'fastify';
import { registerOutsideLinks } from './outsideLinks';

async function locationOf(path: string, places: { docsUrl: string; editorExtensionUrl: string }) {
  const app = Fastify();
  registerOutsideLinks(app, places);
  const { statusCode, headers } = await app.inject(path);
  return { statusCode, location: headers.location };
}

describe('the outside links', () => {
  const elsewhere = { docsUrl: 'https://docs.example.org/atelier', editorExtensionUrl: 'https://editor.example.org/' };

  it.each([
    ['/docs/', elsewhere.docsUrl],
    ['/docs/editor-extension/', elsewhere.editorExtensionUrl],
  ])('lead %s on to where the operator keeps it', async (path, location) => {
    await expect(locationOf(path, elsewhere)).resolves.toEqual({ statusCode: 302, location });
  });

  it('leave the console’s own pages alone by default', async () => {
    const places = { docsUrl: '/docs/', editorExtensionUrl: '/docs/editor-extension/' };

    expect((await locationOf('/docs/', places)).statusCode).toBe(404);
  });
});
