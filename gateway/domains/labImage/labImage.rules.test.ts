import { Refusal } from '../../refusal';
import {
  dockerLines,
  looksSecret,
  maskUsername,
  registryNameOf,
  requireImageRoom,
  requireNoSecrets,
  requireUnused,
  shownPath,
  storedImageName,
} from './labImage.rules';

/** The refusal of a rule; fails when it refuses nothing. */
function refusalOf(rule: () => unknown): Refusal {
  try {
    rule();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a file looks secret', () => {
  it.each([
    './.ssh/id_rsa',
    '.ssh/config',
    'work/.git-credentials',
    '.netrc',
    '.aws/credentials',
    'project/.env',
    'project/.env.production',
    'keys/server.pem',
    'ID_RSA',
    'secrets.yaml',
    'client_secret_1.json',
    '.bash_history',
    '.config/gcloud/credentials.json',
  ])('by its name or folder: %s', (path) => expect(looksSecret(path)).toBe(true));

  it.each([
    'notes.txt',
    'src/environment.ts',
    '.ssh/id_rsa.pub',
    'project/.env.example',
    'monkey.py',
    'keyboard.txt',
    '.profile',
    '',
  ])('not where nothing says so: %s', (path) => expect(looksSecret(path)).toBe(false));

  it('and is shown from the home', () => {
    expect(['./.ssh/id_rsa', '/a/b/', 'plain'].map(shownPath)).toEqual(['.ssh/id_rsa', 'a/b', 'plain']);
  });
});

describe('publishing', () => {
  it('passes where nothing looks secret, or everything that does was accepted', () => {
    requireNoSecrets([], []);
    requireNoSecrets(['.netrc'], ['.netrc', 'more']);
  });

  it('is refused with the list where something was not accepted', () => {
    const refusal = refusalOf(() => requireNoSecrets(['.netrc', '.env'], ['.netrc']));

    expect([refusal.error, refusal.options.data]).toEqual(['IMAGE_HOLDS_SECRETS', { paths: ['.netrc', '.env'], isComplete: true }]);
  });

  it('is refused whatever is accepted where there are more than can be listed', () => {
    const paths = Array.from({ length: 101 }, (_, index) => `${index}.key`);

    expect(refusalOf(() => requireNoSecrets(paths, paths)).options.data).toMatchObject({ isComplete: false });
  });
});

describe('room for images', () => {
  it('ends at the limit, naming the lowest level that keeps more', () => {
    requireImageRoom(1, 2);
    const refusal = refusalOf(() => requireImageRoom(2, 2));

    expect([refusal.error, refusal.options.data]).toEqual(['IMAGE_LIMIT', { limit: 2, kept: 2, neededLevel: 1 }]);
  });

  it('has no level to name beyond the highest', () => {
    expect(refusalOf(() => requireImageRoom(200, 200)).options.data).toMatchObject({ neededLevel: null });
  });
});

it('an image in use is refused with the workshops’ names, the first five said', () => {
  requireUnused([]);
  const workshops = Array.from({ length: 7 }, (_, index) => ({ workshopId: String(index), name: `W${index}` }));
  const refusal = refusalOf(() => requireUnused(workshops));

  expect(refusal.options.params).toEqual({ workshops: 'W0, W1, W2, W3, W4 (+2)' });
  expect(refusal.options.data).toEqual({ workshops });
});

it.each([
  ['alice', 'a***e'],
  ['张三丰', '张***丰'],
  ['ab', 'a***'],
  ['a', 'a***'],
  ['👩‍🚀b', '👩***b'],
])('a username is masked: %s → %s', (username, masked) => expect(maskUsername(username)).toBe(masked));

it('an image’s name is stored composed and trimmed, and refused where nothing is left or too much', () => {
  expect(storedImageName('  Cafe\u0301 ')).toBe('Café');
  expect(refusalOf(() => storedImageName('x'.repeat(41))).error).toBe('INVALID_INPUT');
});

it('a member’s project and lines for docker name nothing of the member and survive a shell', () => {
  const project = registryNameOf('atelier', '0190163D-8c5e-7b1a-9f00-5f1d2c3b4a59');
  const lines = dockerLines({ registry: 'harbor.example', project, robot: `robot$${project}+lab`, secret: "it's" });

  expect(project).toBe('atelier-5f1d2c3b4a59');
  expect(lines.loginLine).toBe(
    `printf %s 'it'\\''s' | docker login harbor.example --username 'robot$atelier-5f1d2c3b4a59+lab' --password-stdin`,
  );
  expect(lines.pushLine).toBe(
    'docker tag IMAGE:TAG harbor.example/atelier-5f1d2c3b4a59/IMAGE:TAG && docker push harbor.example/atelier-5f1d2c3b4a59/IMAGE:TAG',
  );
});
