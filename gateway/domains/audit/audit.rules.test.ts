import { keptText, subjectAt } from './audit.rules';

const ID = '0190163d-8c5e-7b1a-9f00-5f1d2c3b4a59';

describe('what an audit entry keeps', () => {
  it.each([
    ['body.workshopId', ID],
    ['body.workshopId', ID.toUpperCase()],
    ['data.user.userId', ID],
  ])('is the id at %s', (path, id) => {
    expect(subjectAt(path, { body: { workshopId: id }, data: { user: { userId: id } } })).toBe(ID);
  });

  it.each([
    ['body.workshopId', { workshopId: "' or 1=1 --" }],
    ['body.workshopId', { workshopId: '13812345678' }],
    ['body.workshopId', { workshopId: [ID] }],
    ['body.workshopId', { workshopId: null }],
    ['body.workshopId', null],
    ['body.workshopId', undefined],
    ['body.user.userId', 'text'],
  ])('is nothing at %s of %j', (path, body) => {
    expect(subjectAt(path, { body, data: null })).toBeNull();
  });

  it.each([
    ['asked by +86 138 1234 5678 himself', 'asked by 861****5678 himself'],
    ['13812345678', '138****5678'],
    ['(021) 6234-5678 9', '(021****6789'],
    ['wrote from li.hua@school.edu.cn', 'wrote from ***@school.edu.cn'],
    ['refund of 2026-11-21, order 42', 'refund of 2026-11-21, order 42'],
    ['a\0b', 'ab'],
  ])('of the words %j is %j', (typed, kept) => {
    expect(keptText(typed, 'note')).toBe(kept);
  });

  it.each(['', null, undefined, '\0'])('of %j is nothing', (typed) => {
    expect(keptText(typed, 'note')).toBeNull();
  });

  it('is cut to what its column takes', () => {
    expect(keptText('x'.repeat(9_999), 'userAgent')).toHaveLength(256);
    expect(keptText('x'.repeat(9_999), 'note')).toHaveLength(500);
    expect(keptText(`${'x'.repeat(495)}13812345678`, 'note')).toMatch(/138\*\*$/);
  });
});
